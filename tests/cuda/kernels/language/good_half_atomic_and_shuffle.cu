// kernel: sum   grid: 2   block: 64
// args: in float16[128] random, total float16[2] zeros, warps float16[4] poison
// expect: nothing
// check: total == [(in_ > 10).sum(), 128]
// check: warps == in_.reshape(4, 32).max(axis=1)
#include <cuda_fp16.h>
__global__ void sum(const half* in, half2* total, half* warps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half most = in[i];
    atomicAdd(total, __floats2half2_rn(most > half(10) ? 1.0f : 0.0f, 1.0f));
    for (int lanes = 16; lanes > 0; lanes /= 2) most = __hmax(most, __shfl_xor_sync(0xffffffffu, most, lanes));
    if (threadIdx.x % 32 == 0) warps[i / 32] = most;
}
