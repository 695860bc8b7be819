// kernel: stream   grid: 2   block: 64
// args: in float32[1024] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 8, 64)[:, :, ::-1].sum(axis=1).ravel()
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void stream(const float* in, float* out)
{
    constexpr int STAGES = 2;
    __shared__ float tile[STAGES][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const float* mine = in + 512 * blockIdx.x;
    float sum = 0.0f;
    for (int use = 0, fetch = 0; use < 8; use++) {
        for (; fetch < 8 && fetch < use + STAGES; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetch % STAGES], mine + 64 * fetch, sizeof(float) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[use % STAGES][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[64 * blockIdx.x + threadIdx.x] = sum;
}
