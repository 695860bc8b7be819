// kernel: votes   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: nothing
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void votes(const float* in, float* out)
{
    __shared__ float s[2];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    if (warp.thread_rank() == 0) s[t / 32] = in[t];
    __syncthreads();
    bool less = in[t] < s[t / 32];
    unsigned votes = warp.ballot(less);  // orders nothing
    warp.sync();
    if (warp.thread_rank() == 0) s[t / 32] = __popc(votes);
    warp.sync();
    out[t] = s[t / 32];
}
