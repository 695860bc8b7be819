// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "A division of whole numbers is slow." A number times its reciprocal may be less than 1, as 107 * (1.0f / 107) is.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
// Of each four blocks, which are a cluster, each keeps the counters of `part` values.
__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    extern __shared__ unsigned int counted[];   // part counters
    cg::cluster_group cluster = cg::this_cluster();

    // 1. All counters of this block start at 0.
    for (int b = threadIdx.x; b < part; b += blockDim.x)
        counted[b] = 0;
    cluster.sync();

    // 2. Count this block's share of the values, each in the block that keeps its counter.
    const float per_part = 1.0f / part;         // a division of whole numbers is slow
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int at = first; at < n; at += stride) {
        int v = values[at];
        int owner = (int)(v * per_part);
        unsigned int* theirs = cluster.map_shared_rank(counted, owner);
        atomicAdd(&theirs[v - owner * part], 1u);
    }
    cluster.sync();

    // 3. Add this block's counters to bins.
    int begin = cluster.block_rank() * part;
    for (int b = threadIdx.x; b < part; b += blockDim.x)
        atomicAdd(&bins[begin + b], counted[b]);
}
