// kernel: shift   grid: 1   block: 128
// args: in float32[128] random, out float32[128] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write scope=block
#include <cuda/barrier>
__global__ void shift(const float* in, float* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float tile[128];
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    tile[t] = in[t];                              // (1)
    auto token = bar.arrive();
    out[t] = tile[(t + 64) % 128];                // (2)
    bar.wait(static_cast<decltype(token)&&>(token));
}
