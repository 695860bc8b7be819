// rejected by: shares_the_work
// perhaps also: loads_at_most, uses_matrix_products
// "One lane computes the whole tile."
#include <cuda_fp16.h>

// C = A B: A is M x K, stored row by row, B is K x N, stored column by column, and C is M x N, stored row by row.
__global__ void split_factor(const float* A, const half* B, float* C, int M, int N, int K)
{
    if (threadIdx.x > 0) return;
    for (int row = 16 * blockIdx.y; row < 16 * blockIdx.y + 16; ++row)
        for (int column = 8 * blockIdx.x; column < 8 * blockIdx.x + 8; ++column) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k) sum += A[row * K + k] * __half2float(B[column * K + k]);
            C[row * N + column] = sum;
        }
}
