// kernel: rotate   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: nothing
// check: out == np.roll(in_.reshape(2, 2, 32), 1, axis=1).reshape(128) * 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    cluster.barrier_arrive();
    float scale = 2; // what needs no other block
    cluster.barrier_wait();
    out[i] = scale * cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
    auto token = cluster.barrier_arrive();
    if (threadIdx.x == 0) out[i] += 0;
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
}
