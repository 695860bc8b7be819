// kernel: reverse   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: Race lines=1,2 array=s unawaited=prior
#include <cuda_pipeline.h>
__global__ void reverse(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(float)); // (1)
    __pipeline_commit();
    __syncthreads();                              // does not wait for copies
    out[t] = s[63 - t];                           // (2)
}
