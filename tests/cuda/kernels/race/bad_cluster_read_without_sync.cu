// kernel: rotate   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: Race between=1,2 array=tile scope=cluster
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.x] = 0;
    cluster.sync();
    tile[threadIdx.x] = in[i]; // (1)
    __syncthreads();
    out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x]; // (2)
    cluster.sync();
}
