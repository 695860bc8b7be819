// finds: nothing
// launch: grid=1, block=256, args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9], shared_mem=24832

#include <cuda_pipeline.h>

// The sizes, chosen by measuring: `autograder tune gemm` finds the best ones for your GPU.
constexpr int BM = 128, BN = 256, BK = 8;  // a block's tile of C, and the depth of a phase
constexpr int WARPS_M = 2, WARPS_N = 4;    // its warps, down and across
constexpr int LANES_M = 4;                 // a warp's lanes, down; 32 / LANES_M across
constexpr int STAGES = 2;                  // buffers of each tile
constexpr int UNROLL = 4;                  // phases in one round of the loop
constexpr int BLOCKS = 1;                  // blocks that are to fit on a multiprocessor
constexpr int BAND = 8;                    // rows of tiles that blocks work on at a time

constexpr int WARPS = WARPS_M * WARPS_N, THREADS = 32 * WARPS, LANES_N = 32 / LANES_M;
constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N;  // a warp's tile of C
constexpr int TM = WM / LANES_M, TN = WN / LANES_N;  // a thread's elements of C, in groups of 4
constexpr int ROW = BM + 4;                          // words between two rows of the transposed tile of A
constexpr int SIZE_A = BK * ROW, SIZE_B = BK * BN;
// What a thread copies in one phase. Of A: one word in every ROWS_Ath row, and in every eighth
// column. Of B: four words in every ROWS_Bth row.
constexpr int ROWS_A = 4 * WARPS, COPIES_A = BM / ROWS_A * (BK / 8);
constexpr int ROWS_B = 4 * THREADS / BN, COPIES = COPIES_A + BK / ROWS_B;
static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 8 == 0 && BM % ROWS_A == 0 && BK % ROWS_B == 0, "");
static_assert(4 * THREADS % BN == 0 && COPIES <= 2 * (BK - 1), "");

// What a thread reads for one k: its TM words of A and TN words of B.
struct Fragment {
    __align__(16) float a[TM], b[TN];

    __device__ __forceinline__ void load(const float* tile_A, const float* tile_B, int k)
    {
        #pragma unroll
        for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&tile_A[k * ROW + LANES_M * i];
        #pragma unroll
        for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&tile_B[k * BN + LANES_N * j];
    }
};

// Down one column, up the next: then each multiplication shares an operand with the one before it,
// which need not be fetched from the register file again.
__device__ __forceinline__ void multiply(float (&sum)[TM][TN], const Fragment& f)
{
    #pragma unroll
    for (int j = 0; j < TN; ++j)
        #pragma unroll
        for (int n = 0; n < TM; ++n) {
            int i = j % 2 ? TM - 1 - n : n;
            sum[i][j] += f.a[i] * f.b[j];
        }
}

// C = A B, on a grid of one dimension: a block for each tile of C.
__launch_bounds__(THREADS, BLOCKS)
__global__ void gemm_tuned(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(16) float tiles[];
    float* tiles_A = tiles;                    // STAGES x BK x ROW
    float* tiles_B = tiles + STAGES * SIZE_A;  // STAGES x BK x BN

    // Blocks that run at the same time work on a band of BAND rows of tiles, column by column:
    // they share rows of A and columns of B, which are then found in the L2 cache.
    int across = (N + BN - 1) / BN, down = (M + BM - 1) / BM;
    int band = blockIdx.x / (BAND * across) * BAND, place = blockIdx.x % (BAND * across);
    int height = min(down - band, BAND);
    int first_row = (band + place % height) * BM, first_col = place / height * BN;

    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    int y = lane % LANES_M, x = lane / LANES_M;
    int warp_row = warp / WARPS_N * WM, warp_col = warp % WARPS_N * WN;
    const float* my_A = tiles_A + warp_row + 4 * y;
    const float* my_B = tiles_B + warp_col + 4 * x;
    float sum[TM][TN] = {};

    // Whole phases of a whole tile, without a guard in the loop.
    int phases = first_row + BM <= M && first_col + BN <= N && N % 4 == 0 ? K / BK : 0;
    if (phases) {
        int row_A = thread / 8, col_A = thread % 8;  // so that a warp copies 4 rows of 8 words
        int row_B = thread / (BN / 4), col_B = thread % (BN / 4) * 4;
        const float* from_A = A + (size_t)(first_row + row_A) * K + col_A;
        const float* from_B = B + (size_t)row_B * N + first_col + col_B;
        float* to_A = tiles_A + col_A * ROW + row_A;
        float* to_B = tiles_B + row_B * BN + col_B;
        auto begin_copy = [&](int number, int stage) {
            if (number < COPIES_A) {
                int k = number / (BM / ROWS_A) * 8, i = number % (BM / ROWS_A) * ROWS_A;
                __pipeline_memcpy_async(to_A + stage * SIZE_A + k * ROW + i, from_A + i * K + k, 4);
            } else {
                int k = (number - COPIES_A) * ROWS_B;
                __pipeline_memcpy_async(to_B + stage * SIZE_B + k * BN, from_B + k * N, 16);
            }
        };
        int begun = 0;
        auto end_group = [&]() {
            __pipeline_commit();
            // After the last phase, this loads that one again, for nothing: cheaper than a branch.
            bool more = ++begun < phases;
            from_A += more ? BK : 0;
            from_B += more ? BK * N : 0;
        };
        #pragma unroll
        for (int stage = 0; stage < STAGES - 1; ++stage) {
            #pragma unroll
            for (int number = 0; number < COPIES; ++number) begin_copy(number, stage);
            end_group();
        }
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // the first tiles are whole
        Fragment f[2];
        f[0].load(my_A, my_B, 0);

        int now = 0;
        #pragma unroll UNROLL
        for (int phase = 0; phase < phases; ++phase) {
            int next = now + 1 == STAGES ? 0 : now + 1, last = now == 0 ? STAGES - 1 : now - 1;
            #pragma unroll
            for (int k = 0; k < BK; ++k) {
                // Two copies at a time, between the multiplications, so that they do not queue up.
                #pragma unroll
                for (int number = 2 * k; number < 2 * k + 2; ++number)
                    if (number < COPIES) begin_copy(number, last);
                if (2 * k < COPIES && 2 * k + 2 >= COPIES) end_group();
                // The next fragment is read while this one is multiplied.
                if (k + 1 < BK) {
                    f[(k + 1) % 2].load(my_A + now * SIZE_A, my_B + now * SIZE_B, k + 1);
                } else {
                    __pipeline_wait_prior(STAGES - 2);
                    __syncthreads();  // the next tiles are whole, and nobody needs these any more
                    f[0].load(my_A + next * SIZE_A, my_B + next * SIZE_B, 0);
                }
                multiply(sum, f[k % 2]);
            }
            now = next;
        }
        __pipeline_wait_prior(0);
        __syncthreads();  // nobody reads or copies any more
    }

    // The rest, word by word: the last columns of A, and all of a tile at the edge of C.
    for (int first = phases * BK; first < K; first += BK) {
        for (int e = thread; e < BM * BK; e += THREADS) {
            int row = first_row + e / BK, col = first + e % BK;
            tiles_A[e % BK * ROW + e / BK] = row < M && col < K ? A[(size_t)row * K + col] : 0.0f;
        }
        for (int e = thread; e < BK * BN; e += THREADS) {
            int row = first + e / BN, col = first_col + e % BN;
            tiles_B[e] = row < K && col < N ? B[(size_t)row * N + col] : 0.0f;
        }
        __syncthreads();  // both tiles are whole
        #pragma unroll 1
        for (int k = 0; k < BK; ++k) {
            Fragment f;
            f.load(my_A, my_B, k);
            multiply(sum, f);
        }
        __syncthreads();  // nobody needs these tiles any more
    }

    #pragma unroll
    for (int i = 0; i < TM; ++i) {
        int row = first_row + warp_row + 4 * y + LANES_M * (i / 4 * 4) + i % 4;
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int col = first_col + warp_col + 4 * x + LANES_N * j;
            float* to = C + (size_t)row * N + col;
            if (row < M && col + 4 <= N && N % 4 == 0) {
                *(float4*)to = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
            } else {
                #pragma unroll
                for (int n = 0; n < 4; ++n)
                    if (row < M && col + n < N) to[n] = sum[i][j + n];
            }
        }
    }
}
