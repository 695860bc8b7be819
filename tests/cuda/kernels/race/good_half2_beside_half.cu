// kernel: add   grid: 2   block: 32
// args: sums float16[2] zeros
// expect: nothing
// check: sums == np.array([64, 32])
#include <cuda_fp16.h>
__global__ void add(__half* sums)
{
    // An atomicAdd of two halves is atomic for each of them alone.
    if (blockIdx.x == 0) atomicAdd((__half2*)sums, __floats2half2_rn(1.0f, 1.0f));
    else atomicAdd(sums, __float2half(1.0f));
}
