// rejected by: stores_at_most
// perhaps also: loads_at_most
// "C[...] is my element, so I add up there." It goes to global memory and back for each product.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row and which column of C are this thread's?
    int c = threadIdx.x + blockDim.x * blockIdx.x;
    int r = threadIdx.y + blockDim.y * blockIdx.y;

    // If C has such an element: add up its n products, and store the sum.
    if (r < n && c < n) {
        C[r * n + c] = 0.0f;
        for (int k = 0; k < n; ++k)
            C[r * n + c] += A[r * n + k] * B[k * n + c];
    }
}
