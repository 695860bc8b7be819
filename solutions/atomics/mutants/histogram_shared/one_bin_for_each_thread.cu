// rejected by: loads_at_most
// perhaps also: shares_the_work, uses_shared_memory
// "If each thread counts a bin of its own, no atomics are needed in the block." But every value is read 256 times.
// bins[v] = how often v occurs among the n values. All bins are 0 before the launch. Each block counts in shared memory first.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];

    // 1. All 256 counters of this block start at 0.
    int stride = gridDim.x * blockDim.x;
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        block_bins[bin] = 0;
        for (int start = blockIdx.x * blockDim.x; start < n; start += stride)
            for (int i = start; i < start + (int)blockDim.x && i < n; ++i)
                if (values[i] == bin)
                    block_bins[bin] += 1;
    }

    // 2. Count this block's share of the values, in a grid-stride loop.
    __syncthreads();    // the counters must be final before anyone passes them on

    // 3. Add this block's counters to bins.
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], block_bins[bin]);
}
