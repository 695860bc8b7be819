%%cuda hand_over
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// 64 threads a block. Warp 0, the producer, copies the rows of its block, one after the other, into the slot.
// Warp 1, the consumer, adds them up, backwards and with alternating signs.
__global__ void hand_over(const int* in, int* out, int rounds)
{
    __shared__ int slot[32];
    __shared__ Barrier full;            // a phase ends when a row is in the slot
    __shared__ Barrier empty;           // a phase ends when a row has been read
    int lane = threadIdx.x % 32;
    const int* rows = in + blockIdx.x * rounds * 32;

    // Initialize both barriers. Nobody may use them before that.
    // not needed, I use __syncthreads()

    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            // The producer: put row k into the slot.
            slot[lane] = rows[32 * k + lane];
            __syncthreads();
            __syncthreads();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) {
            // The consumer: read row k from the slot, and add it or, in odd rounds, subtract it.
            __syncthreads();
            sum += (k % 2 ? -1 : 1) * slot[31 - lane];
            __syncthreads();
        }
        out[32 * blockIdx.x + lane] = sum;
    }
}
