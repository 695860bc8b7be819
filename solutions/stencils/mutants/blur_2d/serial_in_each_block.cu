// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out = in, blurred with the weights 1 2 1, 2 4 2, 1 2 1; the outermost rows and columns are copied.
__global__ void blur_2d(const float* in, float* out, int rows, int cols)
{
    extern __shared__ float tile[];             // blockDim.y + 2 rows of width elements, stored row by row
    int width = blockDim.x + 2;
    int first_row = blockIdx.y * blockDim.y;
    int first_col = blockIdx.x * blockDim.x;    // tile[0] belongs to (first_row - 1, first_col - 1)

    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int y = 0; y < blockDim.y + 2; ++y)
        for (int x = 0; x < width; ++x) {
            int from_row = first_row - 1 + y, from_col = first_col - 1 + x;
            if (from_row >= 0 && from_row < rows && from_col >= 0 && from_col < cols)
                tile[y * width + x] = in[from_row * cols + from_col];
        }
    for (int y = 0; y < blockDim.y; ++y)
        for (int x = 0; x < blockDim.x; ++x) {
            int r = first_row + y, c = first_col + x;
            if (r >= rows || c >= cols)
                continue;
            const float* mine = &tile[(y + 1) * width + x + 1];
            const float* above = mine - width;
            const float* below = mine + width;
            if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1)
                out[r * cols + c] = mine[0];
            else
                out[r * cols + c] = (above[-1] + 2 * above[0] + above[1]
                                     + 2 * mine[-1] + 4 * mine[0] + 2 * mine[1]
                                     + below[-1] + 2 * below[0] + below[1]) / 16;
        }
}
