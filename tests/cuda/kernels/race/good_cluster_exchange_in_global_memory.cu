// kernel: swap   grid: 4   block: 32
// args: in float32[128] random, between float32[128] poison, out float32[128] poison
// expect: nothing
// check: out == np.roll(in_.reshape(2, 2, 32), 1, axis=1).reshape(128)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) swap(const float* in, float* between, float* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    between[i] = in[i];
    cg::this_cluster().sync();
    out[i] = between[i ^ 32];
}
