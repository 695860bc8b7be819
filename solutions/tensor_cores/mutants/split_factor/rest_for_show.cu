// rejected by: uses_matrix_products
// perhaps also: shares_the_work
// "Both parts are multiplied as matrices, and the rest is added once more by hand, to be sure that no digit is lost."
#include <cuda_fp16.h>

// sum += a b, a product of 16 x 8 and 8 x 8 numbers by all lanes of a warp: each brings its own words.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(b));
}

// A word of two halves.
__device__ unsigned pack(half first, half second)
{
    return __half_as_ushort(first) | __half_as_ushort(second) << 16;
}

// C = A B: A is M x K, stored row by row, B is K x N, stored column by column, and C is M x N, stored row by row.
// A block is one warp, and computes 16 x 8 elements of C.
__global__ void split_factor(const float* A, const half* B, float* C, int M, int N, int K)
{
    int lane = threadIdx.x;
    int g = lane / 4, i = 2 * (lane % 4);
    int top = 16 * blockIdx.y, left = 8 * blockIdx.x;
    float sum[4] = {}, of_rests[4] = {};

    for (int k = 0; k < K; k += 8) {
        unsigned b = *(const unsigned*)&B[(left + g) * K + k + i];
        float rest[4];
        unsigned high[2], low[2];
        for (int r = 0; r < 2; ++r) {
            const float* a = &A[(top + g + 8 * r) * K + k + i];
            float first = a[0], second = a[1];
            half x = __float2half(first), y = __float2half(second);
            high[r] = pack(x, y);
            rest[2 * r] = first - __half2float(x);
            rest[2 * r + 1] = second - __half2float(y);
            low[r] = pack(__float2half(rest[2 * r]), __float2half(rest[2 * r + 1]));
        }
        multiply(sum, high[0], high[1], b);
        multiply(of_rests, low[0], low[1], b);
        for (int column = 0; column < 8; ++column) {        // of the rests, and row of B
            int from = 4 * g + column / 2;
            float upper = __shfl_sync(~0u, rest[column % 2], from), lower = __shfl_sync(~0u, rest[2 + column % 2], from);
            for (int n = 0; n < 2; ++n) {
                unsigned word = __shfl_sync(~0u, b, 4 * (i + n) + column / 2);
                float of_b = __half2float(__ushort_as_half(word >> 16 * (column % 2)));
                sum[n] += upper * of_b;
                sum[2 + n] += lower * of_b;
            }
        }
    }

    for (int n = 0; n < 4; ++n) C[(top + g + n / 2 * 8) * N + left + i + n % 2] = sum[n];
}
