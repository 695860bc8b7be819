// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    if (threadIdx.x > 0)
        return;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    out[0] = sum;
}
