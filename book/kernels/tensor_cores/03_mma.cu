// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(1, 1), block=256, args=[numbers("float16", 128, 64), numbers("float16", 64, 128), empty(128, 128), 128, 128, 64]

#include <cuda_fp16.h>

constexpr int BM = 128, BN = 128, BK = 32;  // a block's tile of C, and the depth of a phase
constexpr int WM = 32, WN = 64;             // a warp's part of it: 4 x 2 warps
constexpr int PAD = 8;                      // halves after each row, so that rows begin in other banks

// Four matrices of 8 x 8 halves; eight lanes each say where the rows of one begin. A lane gets two elements of each.
__device__ void load_matrices(unsigned (&to)[4], const half* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// The same, with each matrix transposed.
__device__ void load_transposed(unsigned (&to)[4], const half* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// sum += a b: 16 x 16 times 16 x 8.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4],
                         unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// C = A B, whose sides are multiples of BM, BN and BK, by the instructions behind wmma.
__global__ void gemm_mma(const half* A, const half* B, float* C, int M, int N, int K)
{
    __shared__ __align__(16) half tile_A[BM][BK + PAD], tile_B[BK][BN + PAD];
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    int warp_row = warp / (BN / WN) * WM, warp_col = warp % (BN / WN) * WN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    float sum[WM / 16][WN / 8][4] = {};

    for (int first = 0; first < K; first += BK) {
        for (int i = 8 * thread; i < BM * BK; i += 8 * 256)  // 8 halves at a time
            *(uint4*)&tile_A[i / BK][i % BK] = *(const uint4*)&A[i / BK * K + first + i % BK];
        for (int i = 8 * thread; i < BK * BN; i += 8 * 256)
            *(uint4*)&tile_B[i / BN][i % BN] = *(const uint4*)&B[(first + i / BN) * N + i % BN];
        __syncthreads();  // barrier 1: the tiles are whole
        #pragma unroll
        for (int k = 0; k < BK; k += 16) {
            unsigned a[WM / 16][4], b[WN / 16][4];
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                load_matrices(a[i], &tile_A[warp_row + 16 * i + lane % 16][k + lane / 16 * 8]);
            #pragma unroll
            for (int j = 0; j < WN / 16; ++j)
                load_transposed(b[j], &tile_B[k + lane % 16][warp_col + 16 * j + lane / 16 * 8]);
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                #pragma unroll
                for (int j = 0; j < WN / 8; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
        }
        __syncthreads();  // barrier 2: everybody is done with the tiles
    }
    C += (blockIdx.y * BM + warp_row + lane / 4) * N + blockIdx.x * BN + warp_col + lane % 4 * 2;
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i)
        #pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
            *(float2*)&C[16 * i * N + 8 * j] = make_float2(sum[i][j][0], sum[i][j][1]);
            *(float2*)&C[(16 * i + 8) * N + 8 * j] = make_float2(sum[i][j][2], sum[i][j][3]);
        }
}
