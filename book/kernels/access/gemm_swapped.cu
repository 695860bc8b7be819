// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// The same with threadIdx.x along the rows.
__global__ void gemm_swapped(const float* A, const float* B, float* C, int n)
{
    int row = threadIdx.x + blockDim.x * blockIdx.x;
    int col = threadIdx.y + blockDim.y * blockIdx.y;
    float sum = 0.0f;

    for (int k = 0; k < n; ++k)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
