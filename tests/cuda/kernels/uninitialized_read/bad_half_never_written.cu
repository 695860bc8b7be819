// kernel: add   grid: 1   block: 32
// args: out float16[32] poison
// expect: UninitializedRead lines=1 array=tile
#include <cuda_fp16.h>
__global__ void add(half* out)
{
    __shared__ half tile[32];
    out[threadIdx.x] = __hadd(tile[threadIdx.x], __float2half(1.0f)); // (1)
}
