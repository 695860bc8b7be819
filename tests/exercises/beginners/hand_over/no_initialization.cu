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
    full.init(32);
    empty.init(32);

    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            // The producer: put row k into the slot.
            empty.wait_parity((k + 1) % 2);     // row k - 1 has been read; before row 0 there is none
            slot[lane] = rows[32 * k + lane];
            (void)full.arrive();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) {
            // The consumer: read row k from the slot, and add it or, in odd rounds, subtract it.
            full.wait_parity(k % 2);            // row k is there
            int number = slot[31 - lane];
            (void)empty.arrive();
            sum += k % 2 ? -number : number;
        }
        out[32 * blockIdx.x + lane] = sum;
    }
}
