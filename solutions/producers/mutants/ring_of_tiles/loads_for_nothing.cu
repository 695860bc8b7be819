// rejected by: uses_loads_ahead
// Producer and consumers take turns. The producer loads two tiles in advance, and drops them.
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void ring_of_tiles(const int* in, int* out, int tiles)
{
    __shared__ int ring[3][96];
    __shared__ Barrier full, empty;
    int n = blockDim.x - 32, t = threadIdx.x;
    if (t == 0) { init(&full, 32); init(&empty, n); }
    __syncthreads();
    if (t < 32) {
        int nothing = 0;
        for (int k = 1; k < 3 && k < tiles; ++k) for (int i = t; i < n; i += 32) nothing |= in[k * n + i];
        for (int k = 0; k < tiles; ++k) {
            empty.wait_parity((k + 1) % 2);
            for (int i = t; i < n; i += 32) ring[k % 3][i] = in[k * n + i] + 0 * nothing;
            (void)full.arrive();
        }
    } else {
        int c = t - 32, sum = 0;
        for (int k = 0; k < tiles; ++k) {
            full.wait_parity(k % 2);
            int number = ring[k % 3][n - 1 - c];
            (void)empty.arrive();
            sum += k % 2 ? -number : number;
        }
        out[c] = sum;
    }
}
