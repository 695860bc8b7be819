// rejected by: does_without_late_loads
// What is only copied comes from in; and in the end each thread looks at the tile once more, for nothing.
// out = in, blurred with the weights 1 2 1, 2 4 2, 1 2 1; the outermost rows and columns are copied.
__global__ void blur_2d(const float* in, float* out, int rows, int cols)
{
    extern __shared__ float tile[];             // blockDim.y + 2 rows of width elements, stored row by row
    int width = blockDim.x + 2;
    int first_row = blockIdx.y * blockDim.y;
    int first_col = blockIdx.x * blockDim.x;    // tile[0] belongs to (first_row - 1, first_col - 1)

    // 1. Load the tile, where the picture has numbers for it.
    for (int y = threadIdx.y; y < blockDim.y + 2; y += blockDim.y)
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            int from_row = first_row - 1 + y, from_col = first_col - 1 + x;
            if (from_row >= 0 && from_row < rows && from_col >= 0 && from_col < cols)
                tile[y * width + x] = in[from_row * cols + from_col];
        }
    __syncthreads();    // the neighbors in tile were loaded by other threads

    // 2. Compute this thread's element of out, if it has one.
    int r = first_row + threadIdx.y, c = first_col + threadIdx.x;
    if (r < rows && c < cols) {
        const float* mine = &tile[(threadIdx.y + 1) * width + threadIdx.x + 1];
        const float* above = mine - width;
        const float* below = mine + width;
        if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1)
            out[r * cols + c] = in[r * cols + c];    // loaded before, into the tile
        else
            out[r * cols + c] = (above[-1] + 2 * above[0] + above[1]
                                 + 2 * mine[-1] + 4 * mine[0] + 2 * mine[1]
                                 + below[-1] + 2 * below[0] + below[1]) / 16;
        *(const volatile float*)mine;
    }
}