%%cuda transpose_padded
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 32 x 8 threads moves one 32 x 32 tile.
__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    const int SIDE = 32;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int top = SIDE * blockIdx.y;        // first row of the block's tile in in
    int left = SIDE * blockIdx.x;       // first column of it

    // Declare the tile.
    __shared__ float tile[SIDE][SIDE];

    // 1. Load the rows of the tile, along rows of in.
    for (int k = 0; k < SIDE; k += 8)
        if (top + y + k < rows && left + x < cols)
            tile[y + k][x] = in[(top + y + k) * cols + left + x];
    __syncthreads();

    // 2. Store the columns of the tile, along rows of out.
    for (int k = 0; k < SIDE; k += 8)
        if (left + y + k < cols && top + x < rows)
            out[(left + y + k) * rows + top + x] = tile[x][y + k];
}
