// finds: nothing; without barrier 1: OutOfBounds; without barrier 2: OutOfBounds
// launch: grid=8, block=8, args=[ramp(64), empty(64)]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The same, and the root of each number, which is worked out in between.
__global__ void __cluster_dims__(4, 1, 1)
    hand_on_roots(const float* in, float* out)
{
    __shared__ float tile[8];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float mine = in[i];

    tile[t] = mine;
    cluster.barrier_arrive();  // my part of the tile is written
    float root = sqrtf(mine);  // needs no other block
    cluster.barrier_wait();    // barrier 1: all parts are written
    int next = (cluster.block_rank() + 1) % cluster.num_blocks();
    float there = cluster.map_shared_rank(tile, next)[7 - t];
    cluster.barrier_arrive();  // I have read the other tile
    out[i] = root + there;
    cluster.barrier_wait();  // barrier 2: everybody has read
}
