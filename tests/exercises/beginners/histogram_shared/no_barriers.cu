%%cuda histogram_shared
// bins[v] += how often v occurs among the n values. Each block counts in shared memory first.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];

    // 1. All 256 counters of this block start at 0.
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        block_bins[b] = 0;

    // 2. Count this block's share of the values, in a grid-stride loop.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&block_bins[values[i]], 1);

    // 3. Add this block's counters to bins.
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], block_bins[b]);
}
