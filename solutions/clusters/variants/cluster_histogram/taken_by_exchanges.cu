// The counters are taken by exchanges, which leave zeros.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
// Of each four blocks, which are a cluster, each keeps the counters of `part` values.
__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    extern __shared__ unsigned int counted[];   // part counters
    cg::cluster_group cluster = cg::this_cluster();

    // 1. All counters of this block start at 0.
    for (int k = threadIdx.x; k < part; k += blockDim.x) counted[k] = 0;
    cluster.sync();

    // 2. Count this block's share of the values, each in the block that keeps its counter.
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    int rank = cluster.block_rank();
    for (int k = first; k < n; k += stride) {
        int v = values[k];
        atomicAdd(&cluster.map_shared_rank(counted, v / part)[v % part], 1u);
    }
    cluster.sync();

    // 3. Add this block's counters to bins.
    for (int k = threadIdx.x; k < part; k += blockDim.x) atomicAdd(&bins[rank * part + k], atomicExch(&counted[k], 0u));
}
