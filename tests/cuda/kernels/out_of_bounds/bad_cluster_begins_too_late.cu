// kernel: rotate   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: OutOfBounds lines=1 array=tile action=write
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x] = in[i]; // (1)
    cluster.sync();
    out[i] = tile[threadIdx.x];
}
