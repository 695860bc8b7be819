// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// y[i] = a * x[i] + y[i], for every i below n. One thread computes one element.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    if (threadIdx.x > 0)
        return;
    for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x && i < n; ++i)
        y[i] = a * x[i] + y[i];
}
