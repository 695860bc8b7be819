// rejected by: shares_the_work
// Thread 0 does it all.
#include <cuda/barrier>

__global__ void ring_of_tiles(const int* in, int* out, int tiles)
{
    __shared__ int ring[3][96];
    int n = blockDim.x - 32;
    if (threadIdx.x > 0)
        return;
    for (int c = 0; c < n; ++c)
        out[c] = 0;
    for (int k = 0; k < tiles; ++k) {
        int* slot = ring[k % 3];
        for (int i = 0; i < n; ++i)
            slot[i] = in[k * n + i];
        for (int c = 0; c < n; ++c)
            out[c] += k % 2 ? -slot[n - 1 - c] : slot[n - 1 - c];
    }
}
