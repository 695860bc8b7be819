// finds: nothing
// launch: grid=1, block=32, args=[ramp(32), empty(32)]

#include <cuda/barrier>
#include <utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// One thread has 128 bytes copied, and expects them at the barrier.
__global__ void transactions(const float* in, float* out)
{
    __shared__ alignas(16) float row[32];
    __shared__ Barrier full;
    int t = threadIdx.x;
    if (t == 0)
        init(&full, 32);
    __syncthreads();

    Barrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(row, in, cuda::aligned_size_t<16>(128),
                                      full);
        token = cuda::device::barrier_arrive_tx(full, 1, 128);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));  // 32 arrivals, and 128 bytes
    out[t] = row[31 - t];
}
