// finds: nothing; without barrier 1: OutOfBounds; without barrier 2: OutOfBounds
// launch: grid=8, block=8, args=[ramp(64), empty(64)]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each thread gets a number that the next block of its cluster holds.
__global__ void __cluster_dims__(4, 1, 1)
    hand_on(const float* in, float* out)
{
    __shared__ float tile[8];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    tile[t] = in[i];
    cluster.sync();  // barrier 1: all four tiles are written
    int next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const float* there = cluster.map_shared_rank(tile, next);
    out[i] = there[7 - t];
    cluster.sync();  // barrier 2: no block ends while its tile is read
}
