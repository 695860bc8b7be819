// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// bins[v] = how often v occurs among the n values. All bins are 0 before the launch. Each block counts in shared memory first.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];
    if (threadIdx.x > 0)
        return;
    for (int bin = 0; bin < 256; ++bin)
        block_bins[bin] = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
        ++block_bins[values[i]];
    for (int bin = 0; bin < 256; ++bin)
        atomicAdd(&bins[bin], block_bins[bin]);
}
