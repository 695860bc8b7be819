// kernel: stream   grid: 2   block: 64
// args: in float32[1024] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 8, 64).sum(axis=1).ravel()
#include <cuda/pipeline>
// Each thread copies and uses its own elements, two stages ahead.
__global__ void stream(const float* in, float* out)
{
    __shared__ float tile[2][64];
    int t = threadIdx.x;
    const float* mine = in + 512 * blockIdx.x + t;
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[k][t], mine + 64 * k, sizeof(float), pipe);
        pipe.producer_commit();
    }
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        pipe.consumer_wait();
        sum += tile[k % 2][t];
        pipe.consumer_release();
        pipe.producer_acquire();
        if (k + 2 < 8) cuda::memcpy_async(&tile[k % 2][t], mine + 64 * (k + 2), sizeof(float), pipe);
        pipe.producer_commit();
    }
    out[64 * blockIdx.x + t] = sum;
}
