// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=256, shared_mem=147456, args=[numbers("float16", 128, 256), numbers("float16", 256, 256), empty(128, 256), 128, 256, 256]

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int BM = 128, BN = 256, BK = 64;   // a block's tile of C, and the depth of a phase
constexpr int WARPS_M = 2, WARPS_N = 4;      // the block's warps: one below the other, and side by side
constexpr int STAGES = 3;                    // buffers of each tile
constexpr int GROUP = 8;                     // rows of tiles that blocks of one time share
constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N, THREADS = 32 * WARPS_M * WARPS_N;
constexpr int STEPS = BK / 16;               // of a phase
constexpr int STAGE = BM * BK + BK * BN;     // halves

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
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Where the eight halves of a row that begin at 8 * chunk are kept, in a tile of so many chunks a row: swizzled, so
// that the same chunk of eight rows is in eight different groups of banks.
template <int CHUNKS> __device__ int place(int row, int chunk)
{
    int turn = CHUNKS >= 8 ? row % 8 : row * CHUNKS / 8 % CHUNKS;
    return 8 * (row * CHUNKS + (chunk ^ turn));
}

// C = A B, whose sides are multiples of BM, BN and BK. While a phase is multiplied, the next ones' tiles are under way.
__launch_bounds__(THREADS)
__global__ void gemm_mma_stages(const half* A, const half* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(128) half tiles[];
    // Blocks that run at the same time share rows and columns of tiles, which the L2 cache then holds.
    int rows = M / BM, cols = N / BN, group = blockIdx.x / (GROUP * cols), within = blockIdx.x % (GROUP * cols);
    int tall = min(GROUP, rows - group * GROUP);
    int block_row = (group * GROUP + within % tall) * BM, block_col = within / tall * BN;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    int warp_row = warp / WARPS_N * WM, warp_col = warp % WARPS_N * WN;
    A += block_row * K;
    B += block_col;
    float sum[WM / 16][WN / 8][4] = {};
    unsigned a[2][WM / 16][4], b[2][WN / 16][4];  // of this step, and of the next one

    auto begin_copy = [&](int phase) {
        if (phase < K / BK) {
            half *tile_A = tiles + phase % STAGES * STAGE, *tile_B = tile_A + BM * BK;
            #pragma unroll
            for (int i = thread; i < BM * BK / 8; i += THREADS) {
                int row = i / (BK / 8), chunk = i % (BK / 8);
                __pipeline_memcpy_async(tile_A + place<BK / 8>(row, chunk), A + row * K + phase * BK + 8 * chunk, 16);
            }
            #pragma unroll
            for (int i = thread; i < BK * BN / 8; i += THREADS) {
                int row = i / (BN / 8), chunk = i % (BN / 8);
                __pipeline_memcpy_async(tile_B + place<BN / 8>(row, chunk), B + (phase * BK + row) * N + 8 * chunk, 16);
            }
        }
        __pipeline_commit();  // the copies since the last commit are one group, perhaps an empty one
    };
    auto load_step = [&](int phase, int step) {
        const half *tile_A = tiles + phase % STAGES * STAGE, *tile_B = tile_A + BM * BK;
        #pragma unroll
        for (int i = 0; i < WM / 16; ++i)
            load_matrices(a[step % 2][i],
                          tile_A + place<BK / 8>(warp_row + 16 * i + lane % 16, 2 * step + lane / 16));
        #pragma unroll
        for (int j = 0; j < WN / 16; ++j)
            load_transposed(b[step % 2][j],
                            tile_B + place<BN / 8>(16 * step + lane % 16, warp_col / 8 + 2 * j + lane / 16));
    };
    for (int s = 0; s < STAGES - 1; ++s) begin_copy(s);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();  // barrier 1: the first phase's tiles have arrived
    load_step(0, 0);
    for (int phase = 0; phase < K / BK; ++phase)
        #pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step == 0) begin_copy(phase + STAGES - 1);
            if (step < STEPS - 1) {
                load_step(phase, step + 1);
            } else if (phase + 1 < K / BK) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();  // barrier 2: the next tiles have arrived, and nobody loads from these any more
                load_step(phase + 1, 0);
            }
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                #pragma unroll
                for (int j = 0; j < WN / 8; ++j)
                    multiply(sum[i][j], a[step % 2][i], b[step % 2][j / 2][j % 2 * 2], b[step % 2][j / 2][j % 2 * 2 + 1]);
        }
    C += (block_row + warp_row + lane / 4) * N + block_col + warp_col + lane % 4 * 2;
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i)
        #pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
            *(float2*)&C[16 * i * N + 8 * j] = make_float2(sum[i][j][0], sum[i][j][1]);
            *(float2*)&C[(16 * i + 8) * N + 8 * j] = make_float2(sum[i][j][2], sum[i][j][3]);
        }
}
