// kernel: pass   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message=emulator
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void pass(float* out)
{
    auto grid = cg::this_grid();
    auto token = grid.barrier_arrive();          // (1)
    out[threadIdx.x] = 1.0f;
    grid.barrier_wait(static_cast<decltype(token)&&>(token));
}
