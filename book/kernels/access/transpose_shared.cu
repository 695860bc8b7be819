// finds: nothing
// launch: grid=(2, 2), block=(32, 32), args=[ramp(64, 64), empty(64, 64), 64]

// Coalesced both ways, but the columns of the tile lie in one bank.
__global__ void transpose_shared(const float* in, float* out, int n)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x;
    int y = threadIdx.y;

    tile[y][x] = in[(y + 32 * blockIdx.y) * n + x + 32 * blockIdx.x];
    __syncthreads();
    out[(y + 32 * blockIdx.x) * n + x + 32 * blockIdx.y] = tile[x][y];
}
