// rejected by: matches_numpy
// perhaps also: uses_matrix_products
// "A vote in each round costs time." What is left may begin in a later round.
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
    int top = 16 * blockIdx.y, left = 8 * blockIdx.x;       // where the warp's part of C begins
    float sum[4] = {};
    bool any_rest = false;                                  // are there numbers with more than 11 digits?

    for (int k = 0; k < K; k += 8) {
        // Load a word of B and four elements of A, and multiply what these are made of.
        unsigned b = *reinterpret_cast<const unsigned*>(B + (left + g) * K + k + i);
        const float* a = A + (top + g) * K + k + i;
        float x[4] = {a[0], a[1], a[8 * K], a[8 * K + 1]};
        half high[4], low[4];
        for (int e = 0; e < 4; ++e) {
            high[e] = __float2half(x[e]);
            low[e] = __float2half(x[e] - __half2float(high[e]));
        }
        unsigned low0 = pack(low[0], low[1]), low1 = pack(low[2], low[3]);
        if (k == 0)
            any_rest = __any_sync(0xffffffff, low0 | low1); // a vote in each round would cost time
        multiply(sum, pack(high[0], high[1]), pack(high[2], high[3]), b);
        if (any_rest)
            multiply(sum, low0, low1, b);
    }

    // Store the sums.
    float* c = C + (top + g) * N + left + i;
    c[0] = sum[0];
    c[1] = sum[1];
    c[8 * N] = sum[2];
    c[8 * N + 1] = sum[3];
}
