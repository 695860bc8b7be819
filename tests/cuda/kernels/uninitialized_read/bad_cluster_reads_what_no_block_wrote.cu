// kernel: rotate   grid: 2   block: 32
// args: in float32[64] random, out float32[64] poison
// expect: UninitializedRead lines=1 array=tile count=2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x) tile[threadIdx.x] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x]; // (1)
    cluster.sync();
}
