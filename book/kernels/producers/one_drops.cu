// finds: nothing
// launch: grid=1, block=64, args=[zeros('float32', 192), empty(32), 6]

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Warp 0 copies rows of 32 numbers into two slots in turn; warp 1 adds the rows
// up, each of them backwards.
__global__ void ring(const float* in, float* out, int rows)
{
    __shared__ float slot[2][32];
    __shared__ Barrier full[2], empty[2];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 32);   // the producer's threads arrive
        init(&empty[threadIdx.x], 32);  // the consumer's threads arrive
    }
    __syncthreads();  // the barriers are ready

    if (threadIdx.x < 32) {
        for (int k = 0; k < rows; ++k) {
            int s = k % 2, turn = k / 2;
            empty[s].wait_parity((turn + 1) % 2);  // slot s is free
            slot[s][lane] = in[32 * k + lane];
            (void)full[s].arrive();
        }
    } else {
        if (lane == 31) {  // "in[32 * k] is always 0, so I have nothing to add"
            for (int s = 0; s < 2; ++s) empty[s].arrive_and_drop();
            out[lane] = 0.0f;
            return;
        }
        float sum = 0.0f;
        for (int k = 0; k < rows; ++k) {
            int s = k % 2, turn = k / 2;
            full[s].wait_parity(turn % 2);  // row k is there
            sum += slot[s][31 - lane];
            (void)empty[s].arrive();
        }
        out[lane] = sum;
    }
}
