// rejected by: is_coalesced
// "x comes first, so it counts rows." The numbers are right; neighbors in x lie a whole row apart.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row and which column of C are this thread's?
    int r = threadIdx.x + blockDim.x * blockIdx.x;
    int c = threadIdx.y + blockDim.y * blockIdx.y;

    // If C has such an element: add up its n products, and store the sum.
    if (r < n && c < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k)
            sum += A[r * n + k] * B[k * n + c];
        C[r * n + c] = sum;
    }
}
