// rejected by: reaches_every_barrier
// "Nothing comes of zeros." A lane whose words are zero leaves the others waiting.
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

    for (int k = 0; k < K; k += 8) {
        // Load a word of B and four elements of A, and multiply what these are made of.
        unsigned b = *(const unsigned*)&B[(left + g) * K + k + i];
        unsigned high[2], low[2];       // of the rows g and g + 8
        for (int r = 0; r < 2; ++r) {
            float x = A[(top + g + 8 * r) * K + k + i], y = A[(top + g + 8 * r) * K + k + i + 1];
            half of_x = __float2half(x), of_y = __float2half(y);
            high[r] = pack(of_x, of_y);
            low[r] = pack(__float2half(x - __half2float(of_x)), __float2half(y - __half2float(of_y)));
        }
        if ((high[0] | high[1] | b) != 0)
            multiply(sum, high[0], high[1], b);
        multiply(sum, low[0], low[1], b);
    }

    // Store the sums.
    C[(top + g) * N + left + i] = sum[0];
    C[(top + g) * N + left + i + 1] = sum[1];
    C[(top + g + 8) * N + left + i] = sum[2];
    C[(top + g + 8) * N + left + i + 1] = sum[3];
}
