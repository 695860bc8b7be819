// kernel: copy   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: Race lines=1,2 array=s unawaited=prior
#include <cuda_pipeline.h>
__global__ void copy(const float* in, float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(float)); // (1)
    __pipeline_commit();
    out[t] = s[t];                                // (2)
    __pipeline_wait_prior(0);
}
