// rejected by: is_coalesced
// perhaps also: shares_the_work
// "A thread for each row is enough." Neighbors then load and store a whole row apart, and most threads stand idle.
// C = A B for n x n matrices, stored row by row. Each thread computes one element of C.
__global__ void gemm_simple(const float* A, const float* B, float* C, int n)
{
    // Which row of C is this thread's?
    int r = threadIdx.x + blockDim.x * blockIdx.x;

    if (r < n && blockIdx.y == 0 && threadIdx.y == 0) {
        for (int c = 0; c < n; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k)
                sum += A[r * n + k] * B[k * n + c];
            C[r * n + c] = sum;
        }
    }
}
