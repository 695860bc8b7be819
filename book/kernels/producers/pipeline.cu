// finds: nothing; without barrier 1: Race
// launch: grid=1, block=64, args=[ramp(192), empty(32), 6]

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// The ring once more, by a pipeline of two stages.
__global__ void pipeline(const float* in, float* out, int rows)
{
    __shared__ float slot[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    int lane = threadIdx.x % 32;
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer
                                 : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);

    if (threadIdx.x < 32) {
        for (int k = 0; k < rows; ++k) {
            pipe.producer_acquire();  // the next stage is free
            cuda::memcpy_async(&slot[k % 2][lane], &in[32 * k + lane],
                               sizeof(float), pipe);
            pipe.producer_commit();   // these were the copies of this stage
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rows; ++k) {
            pipe.consumer_wait();     // barrier 1: the oldest stage is there
            sum += slot[k % 2][31 - lane];
            pipe.consumer_release();  // the stage is free
        }
        out[lane] = sum;
    }
}
