// finds: nothing; without barrier 1: OutOfBounds; without barrier 2: Race
// launch: name="count_cluster<4>", grid=8, block=64, shared_mem=128, args=[numbers('int32', 1000), zeros('uint32', 128), 1000, 32]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The blocks of a cluster share the counters: each has `part` of them.
template <int BLOCKS>
__global__ void __cluster_dims__(BLOCKS, 1, 1)
    count_cluster(const int* values, unsigned* bins, int n, int part)
{
    extern __shared__ unsigned counted[];  // part counters
    cg::cluster_group cluster = cg::this_cluster();
    int threads = gridDim.x * blockDim.x;

    for (int c = threadIdx.x; c < part; c += blockDim.x)
        counted[c] = 0;
    cluster.sync();  // barrier 1: all blocks are there, and have zeros
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += threads) {
        int owner = values[k] / part, c = values[k] % part;
        atomicAdd(cluster.map_shared_rank(counted, owner) + c, 1u);
    }
    cluster.sync();  // barrier 2: all values are counted
    unsigned* mine = bins + cluster.block_rank() * part;
    for (int c = threadIdx.x; c < part; c += blockDim.x)
        if (counted[c] > 0)
            atomicAdd(&mine[c], counted[c]);
}
