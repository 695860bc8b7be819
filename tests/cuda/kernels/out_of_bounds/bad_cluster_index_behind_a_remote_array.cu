// kernel: shift   grid: 2   block: 32
// args: in float32[64] random, out float32[64] poison
// expect: OutOfBounds lines=1 array=tile index=32 owner=1,0,0 action=read
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) shift(const float* in, float* out)
{
    __shared__ float tile[32];
    __shared__ float more[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.x] = more[threadIdx.x] = in[i];
    cluster.sync();
    const float* there = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    out[i] = there[threadIdx.x + 1] + more[threadIdx.x]; // (1)
    cluster.sync();
}
