// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// One block, n <= blockDim.x: out[t] = 0.25 * (in[t - 1] + 2 * in[t] + in[t + 1]); the two ends are copied.
__global__ void blur_one_block(const double* in, double* out, int n)
{
    extern __shared__ double row[];     // blockDim.x elements
    if (threadIdx.x > 0)
        return;
    for (int i = 0; i < n; ++i)
        row[i] = in[i];
    for (int i = 0; i < n; ++i)
        out[i] = i == 0 || i == n - 1 ? row[i] : 0.25 * (row[i - 1] + 2.0 * row[i] + row[i + 1]);
}
