%%cuda blur_2d
// out = in, blurred with the weights 1 2 1, 2 4 2, 1 2 1; the outermost rows and columns are copied.
__global__ void blur_2d(const float* in, float* out, int rows, int cols)
{
    extern __shared__ float tile[];             // blockDim.y + 2 rows of width elements, stored row by row
    int width = blockDim.x + 2;
    int first_row = blockIdx.y * blockDim.y;
    int first_col = blockIdx.x * blockDim.x;    // tile[0] belongs to (first_row - 1, first_col - 1)

    // 1. Load the tile, where the picture has such numbers.
    int r = first_row + threadIdx.y, c = first_col + threadIdx.x;
    if (r < rows && c < cols)
        tile[threadIdx.x * width + threadIdx.y] = in[c * cols + r];
    __syncthreads();

    // 2. Compute this thread's element of out, if it has one.
    if (r < rows && c < cols)
        out[r * cols + c] = tile[threadIdx.x * width + threadIdx.y];
}
