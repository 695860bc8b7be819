%%cuda cluster_histogram
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
// Of each four blocks, which are a cluster, each keeps the counters of `part` values.
__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    extern __shared__ unsigned int counted[];   // part counters
    cg::cluster_group cluster = cg::this_cluster();

    // 1. All counters of this block start at 0.
    for (int i = threadIdx.x; i < part; i += blockDim.x)
        counted[i] = 0;
    cluster.sync();

    // 2. Count this block's share of the values, each in the block that keeps its counter.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counted[values[i] % part], 1);
    cluster.sync();

    // 3. Add this block's counters to bins.
    for (int i = threadIdx.x; i < part; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * part + i], counted[i]);
}
