// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=4, block=32, args=[numbers('int32', 128), empty_int(128), 3]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Like the game of telephone: in each round, all numbers move on by one
// block, and each block adds one to what it gets.
__global__ void __cluster_dims__(4, 1, 1)
    rounds(const int* in, int* out, int times)
{
    __shared__ int tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int next = (cluster.block_rank() + 1) % cluster.num_blocks();

    tile[t] = in[i];
    cluster.sync();
    for (int round = 0; round < times; ++round) {
        int given = cluster.map_shared_rank(tile, next)[t];
        cluster.sync();  // barrier 1: all have read the old numbers
        tile[t] = given + 1;
        cluster.sync();  // barrier 2: all new numbers are there
    }
    out[i] = tile[t];
}
