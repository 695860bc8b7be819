// rejected by: matches_numpy
// "Left is t - 1."
// x[t] = x[t + 1] for all t, and the last gets what the first had. One block.
__global__ void rotate_left(int* x, int n)
{
    int t = threadIdx.x;
    int next = t < n ? x[(t + n - 1) % n] : 0;      // in a register, where nobody can overwrite it
    __syncthreads();    // everyone must have read before anyone writes
    if (t < n)
        x[t] = next;
}
