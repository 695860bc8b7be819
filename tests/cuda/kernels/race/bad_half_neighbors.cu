// kernel: smooth   grid: 1   block: 64
// args: in float16[64] random, out float16[64] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write scope=block
#include <cuda_fp16.h>
__global__ void smooth(const half* in, half* out)
{
    __shared__ half tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    tile[i] += tile[i];                           // (1)
    out[i] = tile[63 - i];                        // (2)
}
