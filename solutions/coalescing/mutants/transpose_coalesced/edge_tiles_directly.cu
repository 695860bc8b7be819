// rejected by: is_coalesced
// "At the edge there are few numbers: move them one by one."
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;

    // 1. Load one element of the tile, along a row of in.
    int in_row = 16 * blockIdx.y + y;
    int in_col = 16 * blockIdx.x + x;
    if (16 * blockIdx.y + 16 > rows || 16 * blockIdx.x + 16 > cols) {
        if (in_row < rows && in_col < cols)
            out[in_col * rows + in_row] = in[in_row * cols + in_col];
        return;
    }
    tile[y][x] = in[in_row * cols + in_col];
    __syncthreads();    // the element that this thread stores was loaded by another one

    // 2. Store one element of the tile, along a row of out.
    int out_row = 16 * blockIdx.x + y;
    int out_col = 16 * blockIdx.y + x;
    if (out_row < cols && out_col < rows)
        out[out_row * rows + out_col] = tile[x][y];
}
