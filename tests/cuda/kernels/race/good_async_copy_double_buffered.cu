// kernel: column_sums   grid: 2   block: 32
// args: in float32[2x6x32] random, out float32[2x32] poison
// expect: nothing
// check: out == in_.sum(axis=1)[:, ::-1]
#include <cuda_pipeline.h>
__global__ void column_sums(const float* in, float* out)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    const float* mine = in + blockIdx.x * 6 * 32;
    float sum = 0.0f;
    __pipeline_memcpy_async(&s[0][t], &mine[t], sizeof(float));
    __pipeline_commit();
    for (int r = 0; r < 6; r++) {
        if (r + 1 < 6) __pipeline_memcpy_async(&s[(r + 1) % 2][t], &mine[32 * (r + 1) + t], sizeof(float));
        __pipeline_commit();        // an empty group in the last round
        __pipeline_wait_prior(1);   // all but the copy just begun
        __syncthreads();            // and so of every thread
        sum += s[r % 2][31 - t];
        __syncthreads();            // read, before the next copy into this buffer
    }
    out[blockIdx.x * 32 + t] = sum;
}
