// rejected by: is_coalesced
// "Writes are what costs, so they go along rows." Now the loads go across.
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    int row = 16 * blockIdx.x + threadIdx.y;
    int col = 16 * blockIdx.y + threadIdx.x;
    if (row < cols && col < rows)
        out[row * rows + col] = in[col * cols + row];
}
