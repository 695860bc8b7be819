// kernel: stream   grid: 1   block: 64
// args: in float32[512] random, out float32[64] poison
// expect: Race lines=2,1 array=tile
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void stream(const float* in, float* out)
{
    __shared__ float tile[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile, in + 64 * k, sizeof tile, pipe); // (1)
        pipe.producer_commit();
        pipe.consumer_wait();
        pipe.consumer_release();
        sum += tile[63 - threadIdx.x];            // (2)
    }
    out[threadIdx.x] = sum;
}
