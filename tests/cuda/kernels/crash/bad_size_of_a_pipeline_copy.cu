// kernel: fetch   grid: 1   block: 32
// args: in float32[64] random, out float32[32] poison
// expect: Crash lines=1
#include <cuda_pipeline.h>
__global__ void fetch(const float* in, float* out)
{
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 12); // (1)
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}
