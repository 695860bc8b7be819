// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out is the transpose of in, a matrix of rows x cols, stored row by row. A block of 16 x 16 threads moves one tile.
__global__ void transpose_coalesced(const float* in, float* out, int rows, int cols)
{
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int r = 16 * blockIdx.y; r < 16 * blockIdx.y + 16 && r < rows; ++r)
        for (int c = 16 * blockIdx.x; c < 16 * blockIdx.x + 16 && c < cols; ++c)
            out[c * rows + r] = in[r * cols + c];
}
