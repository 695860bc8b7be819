%%cuda blur_one_block
// One block, n <= blockDim.x: out[t] = 0.25 * (in[t - 1] + 2 * in[t] + in[t + 1]); the two ends are copied.
__global__ void blur_one_block(const double* in, double* out, int n)
{
    extern __shared__ double row[];     // blockDim.x elements
    int t = threadIdx.x;

    // 1. Load this thread's number, if it has one.
    if (t < n) row[t] = in[t];
    __syncthreads();

    // 2. Compute this thread's element of out, if it has one.
    if (t == 0 || t == n - 1) out[t] = row[t];
    else if (t < n) out[t] = 1 / 4 * (row[t - 1] + 2 * row[t] + row[t + 1]);
}
