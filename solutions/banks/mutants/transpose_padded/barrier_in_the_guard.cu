// rejected by: reaches_every_barrier
// perhaps also: has_no_races, matches_numpy, reads_only_what_was_written, has_no_bank_conflicts
// "Those who load wait for those who load."
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 32 x 8 threads moves one 32 x 32 tile.
__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    const int SIDE = 32;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int top = SIDE * blockIdx.y;        // first row of the block's tile in in
    int left = SIDE * blockIdx.x;       // first column of it

    // Declare the tile.
    __shared__ float tile[SIDE][SIDE + 1];      // a word more in each row moves the next row on by one bank

    // 1. Load the rows of the tile, along rows of in.
    for (int j = y; j < SIDE; j += 8)
        if (top + j < rows && left + x < cols) {
            tile[j][x] = in[(top + j) * cols + left + x];
            __syncthreads();    // a column of the tile was loaded by all warps
        }

    // 2. Store the columns of the tile, along rows of out.
    for (int j = y; j < SIDE; j += 8)
        if (left + j < cols && top + x < rows)
            out[(left + j) * rows + top + x] = tile[x][j];
}
