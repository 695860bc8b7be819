// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// result[0] = the dot product of x and y. done[0] is 0 before the launch and after it.
__global__ void dot_last_block(const float* x, const float* y, float* partial, unsigned int* done, float* result, int n)
{
    if (threadIdx.x > 0)
        return;
    float sum = 0;
    int stride = gridDim.x * blockDim.x;
    for (int start = blockIdx.x * blockDim.x; start < n; start += stride)
        for (int i = start; i < start + blockDim.x && i < n; ++i)
            sum += x[i] * y[i];
    partial[blockIdx.x] = sum;
    __threadfence();
    if (atomicAdd(done, 1u) < gridDim.x - 1)
        return;
    __threadfence();
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b)
        total += partial[b];
    result[0] = total;
    done[0] = 0;
}
