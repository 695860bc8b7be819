// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=128, args=[ramp(256), empty(128)]

#include <cuda/barrier>
#include <utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// out[t] = the second number of thread t, plus the first one of a thread of the next warp.
__global__ void halves(const float* in, float* out)
{
    __shared__ float tile[128];
    __shared__ Barrier bar;
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, 128);  // 128 arrivals end a phase
    __syncthreads();      // barrier 2: bar is ready

    tile[t] = in[t];
    auto token = bar.arrive();   // my number is in the tile
    float second = in[128 + t];  // needs nobody
    bar.wait(std::move(token));  // barrier 1: all numbers are there
    out[t] = second + tile[(t + 32) % 128];
}
