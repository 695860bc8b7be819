// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    if (threadIdx.x > 0)
        return;
    float sum = 0.0f;
    int first = blockIdx.x * 8 * blockDim.x;
    for (int i = first; i < first + 8 * blockDim.x && i < n; ++i)
        sum += x[i] * y[i];
    out[blockIdx.x] = sum;
}
