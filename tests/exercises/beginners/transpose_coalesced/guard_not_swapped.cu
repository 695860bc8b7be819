%%cuda transpose_coalesced
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;

    // 1. Load one element of the tile, along a row of in.
    int r = 16 * blockIdx.y + y, c = 16 * blockIdx.x + x;
    if (r < rows && c < cols)
        tile[y][x] = in[r * cols + c];
    __syncthreads();

    // 2. Store one element of the tile, along a row of out.
    r = 16 * blockIdx.x + y;
    c = 16 * blockIdx.y + x;
    if (r < rows && c < cols)
        out[r * rows + c] = tile[x][y];
}
