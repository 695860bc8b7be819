// rejected by: uses_matrix_products
// perhaps also: loads_at_most, shares_the_work
// "Plain multiply-adds lose no digit, either."
#include <cuda_fp16.h>

// C = A B: A is M x K, stored row by row, B is K x N, stored column by column, and C is M x N, stored row by row.
__global__ void split_factor(const float* A, const half* B, float* C, int M, int N, int K)
{
    int lane = threadIdx.x;
    int g = lane / 4, i = 2 * (lane % 4);
    int top = 16 * blockIdx.y, left = 8 * blockIdx.x;
    for (int n = 0; n < 4; ++n) {
        int row = top + g + n / 2 * 8, column = left + i + n % 2;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * __half2float(B[column * K + k]);
        C[row * N + column] = sum;
    }
}
