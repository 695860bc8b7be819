// rejected by: uses_distributed_shared_memory
// perhaps also: global_atomics_at_most, loads_at_most, shares_the_work
// "2400 counters are less than 10 KB: they fit into each block."
// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
__global__ void cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    __shared__ unsigned int all[2400];

    for (int bin = threadIdx.x; bin < 4 * part; bin += blockDim.x)
        all[bin] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&all[values[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 4 * part; bin += blockDim.x)
        if (all[bin] > 0)
            atomicAdd(&bins[bin], all[bin]);
}
