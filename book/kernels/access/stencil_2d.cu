// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(34, 34), empty(32, 32), 32]

// Five points of a tile with a halo; `in` has a rim of one element.
__global__ void stencil_2d(const float* in, float* out, int n)
{
    __shared__ float tile[18][18];
    int x = threadIdx.x;
    int y = threadIdx.y;

    for (int j = y; j < 18; j += 16)
        for (int i = x; i < 18; i += 16)
            tile[j][i] = in[(16 * blockIdx.y + j) * (n + 2) + 16 * blockIdx.x + i];
    __syncthreads();
    out[(16 * blockIdx.y + y) * n + 16 * blockIdx.x + x] =
        tile[y][x + 1] + tile[y + 1][x] + tile[y + 1][x + 1] + tile[y + 1][x + 2] + tile[y + 2][x + 1];
}
