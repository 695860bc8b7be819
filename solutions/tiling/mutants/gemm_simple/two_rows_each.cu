// rejected by: shares_the_work
// "One number of B serves two rows." The lower half of the threads has nothing to do.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (row >= n || column >= n)
        return;

    float upper = 0, lower = 0;
    for (int k = 0; k < n; ++k) {
        float b = B[k * n + column];
        upper += A[row * n + k] * b;
        if (row + 1 < n)
            lower += A[(row + 1) * n + k] * b;
    }
    C[row * n + column] = upper;
    if (row + 1 < n)
        C[(row + 1) * n + column] = lower;
}
