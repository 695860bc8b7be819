%%cuda rotate_left
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    if (t < n) {
        int next = x[(t + 1) % n];
        __syncthreads();
        x[t] = next;
    }
}
