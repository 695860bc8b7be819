// kernel: mailbox   grid: 1   block: 64
// args: in int32[1] random, out int32[1] poison, sums uint32[3] poison
// expect: nothing
// check: out == in_ + 1
// check: sums == [64, 63, 64 * 2]
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready{0};
__device__ int message;
__global__ void mailbox(const int* in, int* out, unsigned* sums)
{
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> count, most, turns;
    if (threadIdx.x == 0) {
        count.store(0, cuda::memory_order_relaxed);
        most = 0;
        turns.store(0);
    }
    __syncthreads();
    count++;
    most.fetch_max(threadIdx.x);
    for (unsigned seen = turns.load(); !turns.compare_exchange_weak(seen, seen + 2);) {}
    if (threadIdx.x == 40) {
        message = in[0] + 1;
        ready.store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 0) {
        while (ready.load(cuda::memory_order_acquire) == 0) {}
        out[0] = message;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[0] = count;
        sums[1] = most.load();
        sums[2] = turns.exchange(0);
    }
}
