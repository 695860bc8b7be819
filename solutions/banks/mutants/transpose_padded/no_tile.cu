// rejected by: is_coalesced
// "Without shared memory there are no bank conflicts." Now the stores go across the rows of out.
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 32 x 8 threads moves one 32 x 32 tile.
__global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    const int SIDE = 32;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int top = SIDE * blockIdx.y;        // first row of the block's tile in in
    int left = SIDE * blockIdx.x;       // first column of it

    for (int j = y; j < SIDE; j += 8)
        if (top + j < rows && left + x < cols)
            out[(left + x) * rows + top + j] = in[(top + j) * cols + left + x];
}
