// finds: nothing
// launch: grid=(2, 2), block=(16, 4), args=[ramp(7, 30), empty(7, 30), 7, 30]

// Halves every element of an image of rows x cols, stored row by row.
__global__ void darken(const float* in, float* out, int rows, int cols)
{
    int col = threadIdx.x + blockDim.x * blockIdx.x;
    int row = threadIdx.y + blockDim.y * blockIdx.y;

    if (row < rows && col < cols)
        out[row * cols + col] = 0.5f * in[row * cols + col];
}
