// finds: nothing
// launch: grid=2, block=32, args=[numbers('float32', 32, 64), empty(64), 32, 64]

// The sum of each column of a matrix: one thread for each column.
__global__ void column_sums(const float* in, float* out,
                            int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int row = 0; row < rows; ++row)
        sum += in[row * cols + col];  // load: side by side
    out[col] = sum;  // store: side by side
}
