// rejected by: shared_loads_at_most
// perhaps also: shares_the_work
// "Each lane reads the words that multiply wants." Right numbers, without conflicts, by three loads for each step.
#include <cuda_fp16.h>

// sum += a b, a product of 16 x 8 and 8 x 8 numbers by all lanes of a warp: each brings its own words.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(b));
}

// Four matrices of 8 x 8 halves; eight lanes each say where the rows of one begin. A lane gets a word of each.
__device__ void load(unsigned (&to)[4], const half* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// Where piece p of a row is kept, in halves from the beginning of the tile. A row has 8 pieces of 8 halves.
__device__ int place(int row, int p)
{
    return 64 * row + 8 * (p ^ row % 8);
}

// C = A B: A is M x K, stored row by row, B is K x N, stored column by column, and C is M x N, stored row by row.
// A block of 4 warps computes 64 x 8 elements of C.
__global__ void swizzled_tile(const half* A, const half* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(128) half tiles[];
    half* tile_A = tiles;               // 64 rows of 64
    half* tile_B = tiles + 64 * 64;     // 8 columns of B, of 64 each
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int top = 64 * blockIdx.y, left = 8 * blockIdx.x;       // where the block's part of C begins
    float sum[4] = {};

    for (int k = 0; k < K; k += 64) {
        // 1. Load both tiles, a piece of 8 halves at once.
        for (int j = t; j < 64 * 8; j += 128)
            *(uint4*)(tile_A + place(j / 8, j % 8)) = *(const uint4*)(A + (top + j / 8) * K + k + 8 * (j % 8));
        if (t < 64)
            *(uint4*)(tile_B + place(t / 8, t % 8)) = *(const uint4*)(B + (left + t / 8) * K + k + 8 * (t % 8));
        __syncthreads();

        // 2. Load words, and multiply.
        int g = lane / 4, i = 2 * (lane % 4);
        for (int p = 0; p < 8; ++p) {
            unsigned a0 = *(const unsigned*)(tile_A + place(16 * warp + g, p) + i);
            unsigned a1 = *(const unsigned*)(tile_A + place(16 * warp + g + 8, p) + i);
            unsigned b = *(const unsigned*)(tile_B + place(g, p) + i);
            multiply(sum, a0, a1, b);
        }

        __syncthreads();
    }

    // 3. Store the sums.
    int row = top + 16 * warp + lane / 4, column = left + 2 * (lane % 4);
    C[row * N + column] = sum[0];
    C[row * N + column + 1] = sum[1];
    C[(row + 8) * N + column] = sum[2];
    C[(row + 8) * N + column + 1] = sum[3];
}
