// rejected by: uses_between_warps
// The consumers copy three tiles at a time for themselves.
constexpr int SLOTS = 3;
__global__ void ring_of_tiles(const int* in, int* out, int tiles)
{
    __shared__ int ring[SLOTS][96];
    int n = blockDim.x - 32, t = threadIdx.x;
    if (t >= 32) {
        int c = t - 32, sum = 0, lane = t % 32, mine = n - 32 - (c - lane) + lane;
        for (int k = 0; k < tiles; k += SLOTS) {
            for (int s = 0; s < SLOTS && k + s < tiles; ++s) ring[s][mine] = in[(k + s) * n + mine];
            __syncwarp();
            for (int s = 0; s < SLOTS && k + s < tiles; ++s) sum += (k + s) % 2 ? -ring[s][n - 1 - c] : ring[s][n - 1 - c];
            __syncwarp();
        }
        out[c] = sum;
    }
}
