// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "A thread without a value has nothing to do."
// bins[v] = how often v occurs among the n values. All bins are 0 before the launch. Each block counts in shared memory first.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];

    // 1. All 256 counters of this block start at 0.
    if (blockIdx.x * blockDim.x + threadIdx.x >= n)
        return;
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        block_bins[bin] = 0;
    __syncthreads();    // nobody may count in a counter that is still to be set to 0

    // 2. Count this block's share of the values, in a grid-stride loop.
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&block_bins[values[i]], 1u);
    __syncthreads();    // the counters must be final before anyone passes them on

    // 3. Add this block's counters to bins.
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], block_bins[bin]);
}
