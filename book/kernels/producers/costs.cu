// finds: nothing
// launch: name="costs<3>", grid=1, block=64, args=[zeros('int64', 1), 4]

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Cycles of `rounds` rounds in which a block does nothing but wait.
template <int WAY> __global__ void costs(long long* cycles, int rounds)
{
    __shared__ Barrier full, empty;
    bool first = threadIdx.x < blockDim.x / 2;  // half of the warps
    bool speaks = WAY < 3 || threadIdx.x % 32 == 0;
    if (threadIdx.x == 0) {
        int half = blockDim.x / 2;
        init(&full, WAY == 1 ? blockDim.x : WAY == 2 ? half : half / 32);
        init(&empty, WAY == 2 ? half : half / 32);
    }
    __syncthreads();

    long long begin = clock64();
    for (int k = 0; k < rounds; ++k) {
        if (WAY == 0) {
            __syncthreads();
        } else if (WAY == 1) {
            full.arrive_and_wait();
        } else if (first) {  // hands over, and waits until that was taken
            if (WAY == 3) __syncwarp();
            if (speaks) (void)full.arrive();
            empty.wait_parity(k % 2);
        } else {
            full.wait_parity(k % 2);
            if (WAY == 3) __syncwarp();
            if (speaks) (void)empty.arrive();
        }
    }
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}
