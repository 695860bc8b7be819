// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=64, args=[ramp(192), empty(32), 6]

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
            empty[s].wait_parity((turn + 1) % 2);  // barrier 1: slot s is free
            cuda::memcpy_async(&slot[s][lane], &in[32 * k + lane],
                               sizeof(float), full[s]);
            (void)full[s].arrive();
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rows; ++k) {
            int s = k % 2, turn = k / 2;
            full[s].wait_parity(turn % 2);  // barrier 2: row k is there
            sum += slot[s][31 - lane];
            (void)empty[s].arrive();
        }
        out[lane] = sum;
    }
}
