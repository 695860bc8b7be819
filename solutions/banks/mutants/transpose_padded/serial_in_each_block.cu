// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 32 x 8 threads moves one 32 x 32 tile.
__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    const int SIDE = 32;
    int top = SIDE * blockIdx.y;        // first row of the block's tile in in
    int left = SIDE * blockIdx.x;       // first column of it
    __shared__ float tile[SIDE][SIDE];

    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int j = 0; j < SIDE; ++j)
        for (int x = 0; x < SIDE; ++x)
            if (top + j < rows && left + x < cols)
                tile[j][x] = in[(top + j) * cols + left + x];
    for (int j = 0; j < SIDE; ++j)
        for (int x = 0; x < SIDE; ++x)
            if (left + j < cols && top + x < rows)
                out[(left + j) * rows + top + x] = tile[x][j];
}
