// finds: nothing
// launch: grid=(2, 2), block=(32, 32), args=[numbers('float64', 64, 64), numbers('float64', 64, 64), 64]

// A padded tile of doubles: half a warp for each pass.
__global__ void transpose_double_padded(const double* in, double* out, int n)
{
    __shared__ double tile[32][33];
    int x = threadIdx.x;
    int y = threadIdx.y;

    tile[y][x] = in[(y + 32 * blockIdx.y) * n + x + 32 * blockIdx.x];
    __syncthreads();
    out[(y + 32 * blockIdx.x) * n + x + 32 * blockIdx.y] = tile[x][y];
}
