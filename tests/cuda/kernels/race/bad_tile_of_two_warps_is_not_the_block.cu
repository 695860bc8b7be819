// kernel: mirrored   grid: 1   block: 128
// args: in int32[128] random, out int32[128] poison
// expect: Race lines=1,2 array=kept hazard=read-after-write
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void mirrored(const int* in, int* out)
{
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int kept[128];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    kept[threadIdx.x] = in[threadIdx.x];  // (1)
    tile.sync();
    out[threadIdx.x] = kept[127 - threadIdx.x];  // (2)
}
