// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(384), empty(128), 3]

#include <cuda_pipeline.h>

// The same sums. Two tiles are on their way while a third is used.
__global__ void three_buffers(const float* in, float* out, int phases)
{
    __shared__ float tile[3][128];
    int t = threadIdx.x;
    float sum = 0.0f;
    auto begin_copy = [&](int phase) {
        if (phase < phases)
            __pipeline_memcpy_async(
                &tile[phase % 3][t],
                &in[(phase * gridDim.x + blockIdx.x) * 128 + t], 4);
        __pipeline_commit();  // one group for each phase, if only an empty one
    };
    begin_copy(0);
    begin_copy(1);
    for (int phase = 0; phase < phases; ++phase) {
        __pipeline_wait_prior(1);  // wait 1: for all own copies but the newest
        __syncthreads();  // barrier 2: and everybody's; the old tile is free
        begin_copy(phase + 2);
        for (int k = 0; k < 5; ++k) sum += tile[phase % 3][(t + 25 * k) % 128];
    }
    out[128 * blockIdx.x + t] = sum;
}
