// kernel: rotate   grid: 8   block: 32   shared_mem: 128
// args: in float32[256] random, out float32[256] poison
// expect: nothing
// check: out == np.roll(in_.reshape(2, 4, 32), 1, axis=1).reshape(256)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) rotate(const float* in, float* out)
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 32 + threadIdx.x;
    cluster.sync(); // all blocks are there
    float* there = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % 4);
    there[threadIdx.x] = in[i];
    cluster.sync();
    out[i] = tile[threadIdx.x];
}
