// kernel: swap   grid: 4   block: 32
// args: in float32[128] random, between float32[128] poison, out float32[128] poison
// expect: Race between=1,2 array=between scope=cluster
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) swap(const float* in, float* between, float* out)
{
    cg::this_cluster().sync();
    int i = blockIdx.x * 32 + threadIdx.x;
    between[i] = in[i]; // (1)
    __syncthreads();
    out[i] = between[i ^ 32]; // (2)
}
