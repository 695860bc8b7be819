// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[v] = how often v occurs among the n values, which are less than 4 * part. All bins are 0 before the launch.
__global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const int* values, unsigned int* bins, int n, int part)
{
    extern __shared__ unsigned int counted[];   // part counters
    cg::cluster_group cluster = cg::this_cluster();
    bool works = threadIdx.x == 0;

    for (int bin = 0; works && bin < part; ++bin)
        counted[bin] = 0;
    cluster.sync();
    for (int i = blockIdx.x; works && i < n; i += gridDim.x) {
        int value = values[i];
        unsigned int* there = cluster.map_shared_rank(counted, value / part);
        atomicAdd(&there[value % part], 1u);
    }
    cluster.sync();
    for (int bin = 0; works && bin < part; ++bin)
        if (counted[bin] > 0)
            atomicAdd(&bins[cluster.block_rank() * part + bin], counted[bin]);
}
