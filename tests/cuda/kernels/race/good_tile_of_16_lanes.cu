// kernel: reverse   grid: 1   block: 64
// args: in int32[64] arange, out int32[64] poison
// expect: nothing
// check: out == in_.reshape(4, 16)[:, ::-1]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, base = t - tile.thread_rank();
    s[t] = in[t];
    tile.sync();  // orders the 16 lanes among themselves, and they read no others
    out[t] = s[base + 15 - tile.thread_rank()];
}
