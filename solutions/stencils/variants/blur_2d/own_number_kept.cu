// out = in, blurred with the weights 1 2 1, 2 4 2, 1 2 1; the outermost rows and columns are copied.
__global__ void blur_2d(const float* in, float* out, int rows, int cols)
{
    extern __shared__ float tile[];             // blockDim.y + 2 rows of width elements, stored row by row
    int width = blockDim.x + 2;
    int first_row = blockIdx.y * blockDim.y;
    int first_col = blockIdx.x * blockDim.x;    // tile[0] belongs to (first_row - 1, first_col - 1)

    // 1. Load the tile, where the picture has numbers for it.
    // A thread keeps its own number in a variable, too; those at the rim of the block also load the frame.
    int r = first_row + threadIdx.y, c = first_col + threadIdx.x;
    float own = 0.0f;
    for (int dy = threadIdx.y == 0 ? -1 : 0; dy <= (threadIdx.y == blockDim.y - 1 ? 1 : 0); ++dy)
        for (int dx = threadIdx.x == 0 ? -1 : 0; dx <= (threadIdx.x == blockDim.x - 1 ? 1 : 0); ++dx)
            if (r + dy >= 0 && r + dy < rows && c + dx >= 0 && c + dx < cols) {
                float number = in[(r + dy) * cols + c + dx];
                tile[(threadIdx.y + 1 + dy) * width + threadIdx.x + 1 + dx] = number;
                if (dy == 0 && dx == 0)
                    own = number;
            }
    __syncthreads();    // the neighbors in tile were loaded by other threads

    // 2. Compute this thread's element of out, if it has one.
    if (r < rows && c < cols) {
        const float* mine = &tile[(threadIdx.y + 1) * width + threadIdx.x + 1];
        const float* above = mine - width;
        const float* below = mine + width;
        if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1)
            out[r * cols + c] = own;
        else
            out[r * cols + c] = (above[-1] + 2 * above[0] + above[1]
                                 + 2 * mine[-1] + 4 * own + 2 * mine[1]
                                 + below[-1] + 2 * below[0] + below[1]) / 16;
    }
}