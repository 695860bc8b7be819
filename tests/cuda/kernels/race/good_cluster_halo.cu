// kernel: smooth   grid: 6   block: 32
// args: in float32[192] random, out float32[192] poison
// expect: nothing
// check: out == np.concatenate([part + np.roll(part, -1) for part in in_.reshape(2, 96)])
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(3) smooth(const float* in, float* out)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    tile[t] = in[i];
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    float right = t < 31 ? tile[t + 1] : cluster.map_shared_rank(tile, next)[0];
    out[i] = tile[t] + right;
    cluster.sync();
}
