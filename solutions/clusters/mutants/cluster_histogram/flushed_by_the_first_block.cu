// rejected by: stays_in_bounds
// perhaps also: matches_numpy, shares_the_work
// "The block with rank 0 adds up everything, and the others are done."
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
// Of each four blocks, which are a cluster, each keeps the counters of `part` values.
__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    extern __shared__ unsigned int counted[];   // part counters
    cg::cluster_group cluster = cg::this_cluster();

    // 1. All counters of this block start at 0.
    for (int bin = threadIdx.x; bin < part; bin += blockDim.x)
        counted[bin] = 0;
    cluster.sync();     // all four blocks are there, and nobody counts in a counter that is still to be set to 0

    // 2. Count this block's share of the values, each in the block that keeps its counter.
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        int value = values[i];
        unsigned int* there = cluster.map_shared_rank(counted, value / part);
        atomicAdd(&there[value % part], 1u);
    }
    cluster.sync();     // all four blocks have counted: the counters are final, and nobody needs them from afar

    // 3. Add this block's counters to bins.
    if (cluster.block_rank() == 0)
        for (int bin = threadIdx.x; bin < 4 * part; bin += blockDim.x)
            atomicAdd(&bins[bin], cluster.map_shared_rank(counted, bin / part)[bin % part]);
}
