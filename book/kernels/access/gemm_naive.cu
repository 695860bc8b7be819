// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), ramp(32, 32), empty(32, 32), 32]

// One element of C for each thread, straight from global memory.
__global__ void gemm_naive(const float* A, const float* B, float* C, int n)
{
    int col = threadIdx.x + blockDim.x * blockIdx.x;
    int row = threadIdx.y + blockDim.y * blockIdx.y;
    float sum = 0.0f;

    for (int k = 0; k < n; ++k)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
