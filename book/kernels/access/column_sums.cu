// finds: nothing
// launch: grid=2, block=32, args=[ramp(64, 64), empty(64), 64]

// One thread for each column: neighboring threads load neighbors.
__global__ void column_sums(const float* in, float* out, int n)
{
    int col = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = 0.0f;

    for (int row = 0; row < n; ++row)
        sum += in[row * n + col];
    out[col] = sum;
}
