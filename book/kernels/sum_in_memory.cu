// finds: nothing
// launch: grid=1, block=32, args=[ramp(8, 32), empty(32), 8]

// The sum of each column. One thread takes one column.
__global__ void sum_columns(const float* in, float* out, int rows)
{
    int column = threadIdx.x, columns = blockDim.x;

    out[column] = 0.0f;
    for (int row = 0; row < rows; ++row)
        out[column] += in[row * columns + column];
}
