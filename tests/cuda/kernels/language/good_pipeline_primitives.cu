// kernel: window   grid: 1   block: 64
// args: in float32[60] random, out float32[64] poison
// expect: nothing
// check: out == np.roll(np.pad(in_, (0, 4)), -1) + np.pad(in_, (0, 4))
#include <cuda_pipeline.h>
__global__ void window(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &in[t < 60 ? t : 0], sizeof(float), t < 60 ? 0 : sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = tile[t] + tile[(t + 1) % 64];
}
