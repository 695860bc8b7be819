// kernel: some_wait   grid: 1   block: 32
// args: out int32[32] poison
// expect: BarrierDivergence lines=1,2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void some_wait(int* out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    out[threadIdx.x] = 1;
    if (threadIdx.x < 8) tile.sync();             // (1)
    __syncthreads();                              // (2)
}
