// kernel: reverse   grid: 2   block: 64
// args: in int32[128] arange, out int32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 64)[:, ::-1]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    s[t] = in[blockIdx.x * 64 + t];
    block.sync();
    out[blockIdx.x * 64 + t] = s[63 - t];
}
