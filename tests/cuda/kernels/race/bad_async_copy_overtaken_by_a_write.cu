// kernel: pad   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: Race lines=1,2 array=s unawaited=prior
#include <cuda_pipeline.h>
__global__ void pad(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(float)); // (1)
    __pipeline_commit();
    __syncthreads();
    if (t < 32) s[t + 32] = 0.0f;                 // (2)
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[t];
}
