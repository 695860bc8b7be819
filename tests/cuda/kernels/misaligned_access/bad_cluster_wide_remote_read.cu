// kernel: widen   grid: 2   block: 8
// args: out float32[64] poison
// expect: MisalignedAccess lines=1 array=tile width=16
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) widen(float* out)
{
    __shared__ float tile[40];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 40; i += 8) tile[i] = i;
    cluster.sync();
    const float* there = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1) + 1;
    float4 v = ((const float4*)there)[threadIdx.x]; // (1)
    out[blockIdx.x * 8 + threadIdx.x] = v.x + v.y + v.z + v.w;
    cluster.sync();
}
