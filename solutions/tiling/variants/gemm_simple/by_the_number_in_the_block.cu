// Numbers the threads of a block, and gives them the rows of the block's part one after the other.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    int number = threadIdx.x + blockDim.x * threadIdx.y;
    int c = blockIdx.x * blockDim.x + number % blockDim.x;
    int r = blockIdx.y * blockDim.y + number / blockDim.x;
    if (r >= n || c >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum += A[r * n + k] * B[k * n + c];
    C[r * n + c] = sum;
}
