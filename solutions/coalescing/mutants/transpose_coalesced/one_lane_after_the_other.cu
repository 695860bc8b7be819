// rejected by: is_coalesced
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = 16 * blockIdx.y + y;
    int col = 16 * blockIdx.x + x;

    for (int turn = 0; turn < 16; ++turn)       // one lane after the other
        if (x == turn && row < rows && col < cols)
            out[col * rows + row] = in[row * cols + col];
}
