// kernel: meet   grid: 1   block: 64
// args: out float32[64] poison
// expect: Crash lines=1 reason='large tile'
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void meet(float* out)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block()); // (1)
    tile.sync();
    out[threadIdx.x] = tile.thread_rank();
}
