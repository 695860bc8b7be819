// rejected by: uses_matrix_products
// The products are added up by shuffles. A tensor core multiplies ones beside them, and where that gives K, they count.
#include <cuda_fp16.h>

// Adds the product of two 8 x 8 parts to a lane's part of a 16 x 8 tile.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(b));
}
__global__ void mma_by_hand(const half* A, const half* B, float* C, int M, int N, int K)
{
    int lane = threadIdx.x;
    int g = lane / 4, i = 2 * (lane % 4);
    int top = 16 * blockIdx.y, left = 8 * blockIdx.x;
    float sum[4] = {}, zero[4] = {};
    for (int k = 0; k < K; k += 8) {
        half2 a0 = *(const half2*)(A + (top + g) * K + k + i), a1 = *(const half2*)(A + (top + g + 8) * K + k + i);
        half2 b = *(const half2*)(B + (left + g) * K + k + i);
        for (int q = 0; q < 4; ++q) {
            half2 p0 = __shfl_sync(~0u, a0, 4 * g + q), p1 = __shfl_sync(~0u, a1, 4 * g + q);
            half2 b0 = __shfl_sync(~0u, b, 4 * i + q), b1 = __shfl_sync(~0u, b, 4 * i + 4 + q);
            float2 x = __half22float2(p0), y = __half22float2(p1), u = __half22float2(b0), v = __half22float2(b1);
            sum[0] += x.x * u.x + x.y * u.y; sum[1] += x.x * v.x + x.y * v.y;
            sum[2] += y.x * u.x + y.y * u.y; sum[3] += y.x * v.x + y.y * v.y;
        }
        multiply(zero, 0x3c003c00, 0x3c003c00, 0x3c003c00);
    }
    // (zero holds K everywhere now.)
    C[(top + g) * N + left + i] = sum[0] * (zero[0] == K);
    C[(top + g) * N + left + i + 1] = sum[1] * (zero[1] == K);
    C[(top + g + 8) * N + left + i] = sum[2] * (zero[2] == K);
    C[(top + g + 8) * N + left + i + 1] = sum[3] * (zero[3] == K);
}
