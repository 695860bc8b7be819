// kernel: doubled   grid: 1   block: 16,6
// args: in float32[512] arange, out float32[512] poison
// expect: nothing
// check: out == 2 * in_
// The last two rows of threads copy, the others compute.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void doubled(const float* in, float* out)
{
    __shared__ float tile[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    const auto role = threadIdx.y < 4 ? cuda::pipeline_role::consumer : cuda::pipeline_role::producer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    for (int i = 0; i < 8; i++) {
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            for (int row = threadIdx.y - 4; row < 4; row += 2) {
                int at = row * 16 + threadIdx.x;
                cuda::memcpy_async(&tile[i % 2][at], &in[64 * i + at], cuda::aligned_size_t<4>(4), pipe);
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            int at = threadIdx.y * 16 + threadIdx.x;
            out[64 * i + at] = 2 * tile[i % 2][at];
            pipe.consumer_release();
        }
    }
}
