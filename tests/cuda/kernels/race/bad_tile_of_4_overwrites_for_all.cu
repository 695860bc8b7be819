// kernel: votes   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: Race lines=1,2 array=s hazard=write-after-read scope=warp count=2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void votes(const float* in, float* out)
{
    __shared__ float s[2];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto tile = cg::tiled_partition<4>(warp);
    int t = threadIdx.x;
    if (warp.thread_rank() == 0) s[t / 32] = in[t];
    __syncthreads();
    bool less = in[t] < s[t / 32];                 // (1)
    unsigned votes = warp.ballot(less);  // orders nothing
    tile.sync();  // waits for 4 of the 32 readers
    if (warp.thread_rank() == 0) s[t / 32] = __popc(votes);  // (2)
    warp.sync();
    out[t] = s[t / 32];
}
