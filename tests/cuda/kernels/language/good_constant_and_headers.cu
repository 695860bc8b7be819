// kernel: polynomial   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: nothing
// check: out == 1 + 2 * in_ + 3 * in_ ** 2
#include <cstdint>
#include <cuda_runtime.h>
__constant__ float coefficients[3] = {1.0f, 2.0f, 3.0f};
__global__ void polynomial(const float* __restrict__ in, float* __restrict__ out)
{
    float x = __ldg(&in[threadIdx.x]), y = 0.0f;
    for (int32_t k = 2; k >= 0; k--) y = y * x + coefficients[k];
    out[threadIdx.x] = y;
}
