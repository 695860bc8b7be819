%%cuda ring_of_tiles
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// One warp copies, the other warps compute. out[c] = tile 0, column n - 1 - c, minus that of tile 1, plus that of tile 2, ...
// A tile has n = blockDim.x - 32 numbers, one for each consumer; the ring has room for SLOTS of them.
constexpr int SLOTS = 3;
__global__ void ring_of_tiles(const int* in, int* out, int tiles)
{
    __shared__ int ring[SLOTS][96];     // n is at most 96
    __shared__ Barrier full[SLOTS];
    __shared__ Barrier empty[SLOTS];
    int n = blockDim.x - 32;
    int t = threadIdx.x;

    if (t < SLOTS) {
        init(&full[t], 32);             // the producer's threads
        init(&empty[t], n);             // the consumers
    }
    __syncthreads();

    if (t < 32) {
        // The producer copies tile after tile, each as soon as a slot is free for it.
        for (int k = 0; k < tiles; ++k) {
            int s = k % SLOTS, turn = k / SLOTS;
            if (k >= SLOTS)
                empty[s].wait_parity(k % 2);
            for (int i = t; i < n; i += 32)
                ring[s][i] = in[k * n + i];
            (void)full[s].arrive();
        }
    } else {
        // The consumers use tile after tile, each as soon as it is there.
        int c = t - 32, sum = 0;
        for (int k = 0; k < tiles; ++k) {
            int s = k % SLOTS, turn = k / SLOTS;
            full[s].wait_parity(k % 2);
            int number = ring[s][n - 1 - c];
            (void)empty[s].arrive();
            sum += k % 2 ? -number : number;
        }
        out[c] = sum;
    }
}
