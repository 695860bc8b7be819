// finds: nothing
// launch: grid=(2, 2), block=(32, 32), args=[ramp(64, 64), empty(64, 64), 64]

// One column more, and the columns of the tile lie in 32 banks.
__global__ void transpose_shared_padded(const float* in, float* out, int n)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x;
    int y = threadIdx.y;

    tile[y][x] = in[(y + 32 * blockIdx.y) * n + x + 32 * blockIdx.x];
    __syncthreads();
    out[(y + 32 * blockIdx.x) * n + x + 32 * blockIdx.y] = tile[x][y];
}
