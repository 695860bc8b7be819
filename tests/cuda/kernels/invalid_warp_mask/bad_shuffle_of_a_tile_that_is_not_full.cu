// kernel: firsts   grid: 1   block: 24
// args: out int32[24] poison
// expect: InvalidWarpMask lines=1 source=absent
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void firsts(int* out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    out[threadIdx.x] = tile.shfl(int(threadIdx.x), 15); // (1)
}
