// kernel: rounds   grid: 1   block: 32
// args: in float32[64] random, out float32[32] poison
// expect: Race lines=1,2 array=s unawaited=prior
#include <cuda_pipeline.h>
__global__ void rounds(const float* in, float* out)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    for (int stage = 0; stage < 2; stage++) {
        __pipeline_memcpy_async(&s[stage][t], &in[32 * stage + t], sizeof(float)); // (1)
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);                     // the older of the two
    __syncthreads();
    out[t] = s[1][31 - t];                        // (2)
}
