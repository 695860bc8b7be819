// rejected by: stays_in_bounds
// "No side of a matrix is longer than a short can say." But the places are.
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;

    // 1. Load one element of the tile, along a row of in.
    int in_row = 16 * blockIdx.y + y;
    int in_col = 16 * blockIdx.x + x;
    if (in_row < rows && in_col < cols)
        tile[y][x] = in[in_row * cols + in_col];
    __syncthreads();    // the element that this thread stores was loaded by another one

    // 2. Store one element of the tile, along a row of out.
    int out_row = 16 * blockIdx.x + y;
    int out_col = 16 * blockIdx.y + x;
    short to = out_row * rows + out_col;
    if (out_row < cols && out_col < rows)
        out[to] = tile[x][y];
}
