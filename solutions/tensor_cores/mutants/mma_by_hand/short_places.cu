// rejected by: stays_in_bounds
// "No side of a matrix is longer than a short can say." But the places are.
#include <cuda_fp16.h>

// sum += a b, a product of 16 x 8 and 8 x 8 numbers by all lanes of a warp: each brings its own words.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(b));
}

// C = A B: A is M x K, stored row by row, B is K x N, stored column by column, and C is M x N, stored row by row.
// A block is one warp, and computes 16 x 8 elements of C.
__global__ void mma_by_hand(const half* A, const half* B, float* C, int M, int N, int K)
{
    int lane = threadIdx.x;
    int g = lane / 4, i = 2 * (lane % 4);
    int top = 16 * blockIdx.y, left = 8 * blockIdx.x;       // where the warp's part of C begins

    // Declare the lane's four sums, and add up the products of all rounds.
    float sum[4] = {};
    for (int k = 0; k < K; k += 8) {
        unsigned a0 = *(const unsigned*)&A[(top + g) * K + k + i];
        unsigned a1 = *(const unsigned*)&A[(top + g + 8) * K + k + i];
        short in_b = (left + g) * K + k + i;
        unsigned b = *(const unsigned*)&B[in_b];
        multiply(sum, a0, a1, b);
    }

    // Store them.
    C[(top + g) * N + left + i] = sum[0];
    C[(top + g) * N + left + i + 1] = sum[1];
    C[(top + g + 8) * N + left + i] = sum[2];
    C[(top + g + 8) * N + left + i + 1] = sum[3];
}
