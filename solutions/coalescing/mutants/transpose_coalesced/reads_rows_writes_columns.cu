// rejected by: is_coalesced
// "One line does it, and the caches will see to the rest."
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    int row = 16 * blockIdx.y + threadIdx.y;
    int col = 16 * blockIdx.x + threadIdx.x;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
