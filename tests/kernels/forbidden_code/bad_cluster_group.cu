// kernel: fill   grid: 2   block: 32
// args: out float32[64] poison
// expect: ForbiddenCode lines=1 construct=this_cluster reason=unsupported
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void fill(float* out)
{
    out[threadIdx.x] = cg::this_cluster().block_rank(); // (1)
}
