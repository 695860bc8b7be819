%%cuda transpose_coalesced
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;

    // 1. Load one element of the tile, along a row of in.
    if (16 * blockIdx.y + y < rows && 16 * blockIdx.x + x < cols)
        tile[y][x] = in[(16 * blockIdx.y + y) * cols + 16 * blockIdx.x + x];
    __syncthreads();

    // 2. Store one element of the tile, along a row of out.
    if (16 * blockIdx.y + y < rows && 16 * blockIdx.x + x < cols)
        out[(16 * blockIdx.x + x) * rows + 16 * blockIdx.y + y] = tile[y][x];
}
