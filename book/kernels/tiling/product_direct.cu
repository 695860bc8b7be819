// finds: nothing
// launch: grid=(2, 2), block=(4, 4), args=[ramp(8, 8), ramp(8, 8), empty(8, 8), 8]

// C = A B for matrices of n x n. One thread computes one element of C.
__global__ void product_direct(const float* A, const float* B, float* C, int n)
{
    int col = threadIdx.x + blockDim.x * blockIdx.x;
    int row = threadIdx.y + blockDim.y * blockIdx.y;

    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k)
            sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}
