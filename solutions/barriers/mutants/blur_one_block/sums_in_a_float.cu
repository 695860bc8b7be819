// rejected by: matches_numpy
// "Four numbers need no double." They are doubles because a float does not hold them.
// One block, n <= blockDim.x: out[t] = 0.25 * (in[t - 1] + 2 * in[t] + in[t + 1]); the two ends are copied.
__global__ void blur_one_block(const double* in, double* out, int n)
{
    extern __shared__ double row[];     // blockDim.x elements
    int t = threadIdx.x;

    // 1. Load this thread's number, if it has one.
    if (t < n)
        row[t] = in[t];
    __syncthreads();    // both neighbors must be in row before anyone reads them

    // 2. Compute this thread's element of out, if it has one.
    if (t == 0 || t == n - 1)
        out[t] = row[t];
    else if (t < n)
        out[t] = 0.25f * float(row[t - 1] + 2.0 * row[t] + row[t + 1]);
}
