// finds: nothing
// launch: grid=1, block=32, args=[numbers('float32', 32, 64), empty(32), 64]

// The sum of each row of a matrix: one thread for each row.
__global__ void row_sums(const float* in, float* out, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    for (int col = 0; col < cols; ++col)
        sum += in[row * cols + col];  // load: a row apart
    out[row] = sum;  // store: side by side
}
