// rejected by: matches_numpy
// "The last one has no right neighbor."
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    int next = t < n ? x[min(t + 1, n - 1)] : 0;      // in a register, where nobody can overwrite it
    __syncthreads();    // everyone must have read before anyone writes
    if (t < n)
        x[t] = next;
}
