// kernel: rotate   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: OutOfBounds lines=1 array=tile action=read owner=0,0,0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x]; // (1)
}
