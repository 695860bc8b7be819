// finds: nothing
// launch: grid=2, block=32, args=[ramp(64, 64), empty(64), 64]

// One thread for each row: neighboring threads are a row apart.
__global__ void row_sums(const float* in, float* out, int n)
{
    int row = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = 0.0f;

    for (int col = 0; col < n; ++col)
        sum += in[row * n + col];
    out[row] = sum;
}
