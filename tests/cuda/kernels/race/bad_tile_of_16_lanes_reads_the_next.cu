// kernel: reverse   grid: 1   block: 32
// args: in int32[32] arange, out int32[32] poison
// expect: Race lines=1,2 array=s hazard=read-after-write scope=warp
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[32];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];             // (1)
    tile.sync();
    out[threadIdx.x] = s[31 - threadIdx.x];       // (2)
}
