// kernel: column_sums   grid: 1   block: 64
// args: in float32[4x64] random, out float32[64] poison
// expect: Race between=1,2 array=s
#include <cuda_pipeline.h>
__global__ void column_sums(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int r = 0; r < 4; r++) {
        __pipeline_memcpy_async(&s[t], &in[64 * r + t], sizeof(float)); // (1)
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[63 - t];                         // (2)
        // Missing: a barrier before the next round's copy.
    }
    out[t] = sum;
}
