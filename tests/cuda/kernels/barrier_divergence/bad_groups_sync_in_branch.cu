// kernel: halve   grid: 1   block: 64
// args: out int32[64] poison
// expect: BarrierDivergence lines=1 threads=64 exited=32 scope=block
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void halve(int* out)
{
    auto block = cg::this_thread_block();
    if (threadIdx.x < 32) block.sync();           // (1)
    out[threadIdx.x] = 1;
}
