// rejected by: matches_numpy
// perhaps also: loads_at_most, stores_at_most
// "C starts at 0, so I add to it." C holds nothing useful before the launch.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row and which column of C are this thread's?
    int c = threadIdx.x + blockDim.x * blockIdx.x;
    int r = threadIdx.y + blockDim.y * blockIdx.y;

    // If C has such an element: add up its n products, and store the sum.
    if (r < n && c < n) {
        for (int k = 0; k < n; ++k)
            C[r * n + c] += A[r * n + k] * B[k * n + c];
    }
}
