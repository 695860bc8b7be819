// rejected by: has_no_races
// perhaps also: stores_at_most, matches_numpy
// "The index is less than n * n, so the element is inside C." It is another thread's.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row and which column of C are this thread's?
    int c = threadIdx.x + blockDim.x * blockIdx.x;
    int r = threadIdx.y + blockDim.y * blockIdx.y;

    // If C has such an element: add up its n products, and store the sum.
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        if (r < n && c < n)
            sum += A[r * n + k] * B[k * n + c];
    if (r * n + c < n * n)
        C[r * n + c] = sum;
}
