// rejected by: stays_in_bounds
// perhaps also: has_no_races, matches_numpy, reads_only_what_was_written
// "Everything is atomic."
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

    // 2. Count this block's share of the values, each in the block that keeps its counter.
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        int value = values[i];
        unsigned int* there = cluster.map_shared_rank(counted, value / part);
        atomicAdd(&there[value % part], 1u);
    }

    // 3. Add this block's counters to bins.
    int first = cluster.block_rank() * part;
    for (int bin = threadIdx.x; bin < part; bin += blockDim.x)
        atomicAdd(&bins[first + bin], counted[bin]);
}
