// rejected by: shares_the_work
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

    // Declare the lane's four sums, add up the products, and store what there is so far.
    float sum[4] = {};
    float* c = C + (top + g) * N + left + i;
    for (int k = 0; k < K; k += 8) {
        unsigned a0 = *(const unsigned*)&A[(top + g) * K + k + i];
        unsigned a1 = *(const unsigned*)&A[(top + g + 8) * K + k + i];
        unsigned b = *(const unsigned*)&B[(left + g) * K + k + i];
        multiply(sum, a0, a1, b);
        c[0] = sum[0];
        c[1] = sum[1];
        c[8 * N] = sum[2];
        c[8 * N + 1] = sum[3];
    }
}
