// finds: nothing
// launch: grid=1, block=256, args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9]

#include <cuda_pipeline.h>

constexpr int BM = 128, BN = 128, BK = 8;  // a block's tile of C, and the depth of a phase
constexpr int TM = 8, TN = 8;              // a thread's elements of C, in groups of 4
constexpr int ROW = BM + 4;                // words between two rows of the transposed tile of A
constexpr int STAGES = 3;                  // buffers of each tile
constexpr int WM = 32, WN = 64;            // a warp's tile of C

// Begins to copy one word into shared memory; a word outside the matrix is 0.
__device__ void copy1(float* to, const float* matrix, int row, int col, int rows, int cols)
{
    if (row < rows && col < cols)
        __pipeline_memcpy_async(to, matrix + row * cols + col, sizeof(float));
    else
        *to = 0.0f;
}

// Begins to copy four neighbors, at once where they are inside and lie at a multiple of 16 bytes.
__device__ void copy4(float* to, const float* matrix, int row, int col, int rows, int cols)
{
    if (row < rows && col + 4 <= cols && cols % 4 == 0)
        __pipeline_memcpy_async(to, matrix + row * cols + col, sizeof(float4));
    else
        for (int i = 0; i < 4; ++i) copy1(to + i, matrix, row, col + i, rows, cols);
}

// The counterpart of load4.
__device__ void store4(float* matrix, int row, int col, int rows, int cols, const float* v)
{
    float* p = matrix + row * cols + col;
    if (row < rows && col + 4 <= cols && cols % 4 == 0) {
        *(float4*)p = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
    for (int i = 0; i < 4; ++i)
        if (row < rows && col + i < cols) p[i] = v[i];
}

// C = A B. Each warp has a tile of C of its own, 32 x 64, nearly square: for one k it reads
// 32 + 64 different words, where 16 + 128 were read before. Its lanes stand 4 x 8, and in that order
// neighboring lanes form squares of 2 x 2: so the lanes that shared memory serves together ask
// for fewer different words of each tile.
__launch_bounds__(256, 2)  // at most 128 registers a thread, so that two blocks fit on a multiprocessor
__global__ void gemm_warp_tiles(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ __align__(16) float tile_A[STAGES][BK][ROW], tile_B[STAGES][BK][BN];
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    int x = lane & 1 | (lane >> 2 & 3) << 1;   // 0 to 7: bits 0, 2 and 3 of the lane
    int y = lane >> 1 & 1 | lane >> 4 << 1;    // 0 to 3: bits 1 and 4
    int warp_row = warp / 2 * WM, warp_col = warp % 2 * WN;
    int first_row = blockIdx.y * BM, first_col = blockIdx.x * BN;
    float sum[TM][TN] = {};

    auto begin_copy = [&](int first, int to) {
        if (first < K) {
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                int row = thread / BK + 32 * i, col = thread % BK;
                copy1(&tile_A[to][col][row], A, first_row + row, first + col, M, K);
            }
            int row = thread / 32, col = thread % 32 * 4;
            copy4(&tile_B[to][row][col], B, first + row, first_col + col, K, N);
        }
        __pipeline_commit();  // the copies since the last commit are one group, perhaps an empty one
    };
    for (int s = 0; s < STAGES - 1; ++s) begin_copy(s * BK, s);
    for (int first = 0, now = 0; first < K; first += BK, now = (now + 1) % STAGES) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's part of these tiles has arrived
        __syncthreads();  // so has everybody's; and all are done with the tiles before these
        begin_copy(first + (STAGES - 1) * BK, (now + STAGES - 1) % STAGES);
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            #pragma unroll
            for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&tile_A[now][k][warp_row + 4 * y + 4 * i];
            #pragma unroll
            for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&tile_B[now][k][warp_col + 4 * x + 8 * j];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                #pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
    }
    #pragma unroll
    for (int i = 0; i < TM; ++i)
        #pragma unroll
        for (int j = 0; j < TN; j += 4)
            store4(C, first_row + warp_row + 4 * y + 4 * (i / 4 * 4) + i % 4,
                   first_col + warp_col + 4 * x + 8 * j, M, N, &sum[i][j]);
}
