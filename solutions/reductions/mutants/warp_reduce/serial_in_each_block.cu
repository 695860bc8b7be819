// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    if (threadIdx.x > 0)
        return;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x && i < n; ++i)
        sum += in[i];
    out[blockIdx.x] = sum;
}
