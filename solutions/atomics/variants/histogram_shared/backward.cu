// Goes through the values from the end.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        block_bins[bin] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= stride)
        atomicAdd(&block_bins[values[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], block_bins[bin]);
}
