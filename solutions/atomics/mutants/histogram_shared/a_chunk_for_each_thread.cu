// rejected by: is_coalesced
// perhaps also: shares_the_work
// "Each thread takes a piece in one go." Neighboring threads then read far apart.
// bins[v] = how often v occurs among the n values. All bins are 0 before the launch. Each block counts in shared memory first.
__global__ void histogram_shared(const unsigned char* values, unsigned int* bins, int n)
{
    __shared__ unsigned int block_bins[256];

    // 1. All 256 counters of this block start at 0.
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        block_bins[bin] = 0;
    __syncthreads();    // nobody may count in a counter that is still to be set to 0

    // 2. Count this block's share of the values, in a grid-stride loop.
    int each = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i)
        atomicAdd(&block_bins[values[i]], 1u);
    __syncthreads();    // the counters must be final before anyone passes them on

    // 3. Add this block's counters to bins.
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], block_bins[bin]);
}
