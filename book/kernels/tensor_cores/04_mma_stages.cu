// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=256, shared_mem=147456, args=[numbers("float16", 128, 256), numbers("float16", 256, 256), empty(128, 256), 128, 256, 256]

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int BM = 128, BN = 256, BK = 64;   // a block's tile of C, and the depth of a phase
constexpr int WARPS_M = 2, WARPS_N = 4;      // the block's warps: one below the other, and side by side
constexpr int STAGES = 3;                    // buffers of each tile
constexpr int GROUP = 8;                     // rows of tiles, for blocks that run together
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

// Where the eight halves of a row that begin at 8 * piece are kept, in a tile of so many pieces a row: swizzled, so
// that the same piece of eight rows is in eight different groups of banks.
template <int PIECES> __device__ int place(int row, int piece)
{
    int turn = PIECES >= 8 ? row % 8 : row * PIECES / 8 % PIECES;
    return 8 * (row * PIECES + (piece ^ turn));
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
    unsigned a[WM / 16][4], b[WN / 16][4];  // of this step, and, one by one, of the next

    // Each thread copies the same piece of every so many rows, so its places differ by constants alone.
    constexpr int ROWS_A = THREADS / (BK / 8), ROWS_B = THREADS / (BN / 8);
    int row_A = thread / (BK / 8), row_B = thread / (BN / 8);
    const half* from_A = A + row_A * K + 8 * (thread % (BK / 8));
    const half* from_B = B + row_B * N + 8 * (thread % (BN / 8));
    int to_A = place<BK / 8>(row_A, thread % (BK / 8)), to_B = BM * BK + place<BN / 8>(row_B, thread % (BN / 8));
    int phases = K / BK, copied = 0, into = 0;  // the next phase to copy, and where its tiles begin
    auto begin_copy = [&] {
        if (copied < phases) {
            #pragma unroll
            for (int i = 0; i < BM / ROWS_A; ++i)
                __pipeline_memcpy_async(tiles + into + to_A + i * ROWS_A * BK, from_A + i * ROWS_A * K, 16);
            #pragma unroll
            for (int i = 0; i < BK / ROWS_B; ++i)
                __pipeline_memcpy_async(tiles + into + to_B + i * ROWS_B * BN, from_B + i * ROWS_B * N, 16);
            from_A += BK;
            from_B += BK * N;
        }
        __pipeline_commit();  // the copies since the last commit are one group, perhaps an empty one
        ++copied;
        into = into == (STAGES - 1) * STAGE ? 0 : into + STAGE;
    };
    // Rows 8 apart have the same swizzle, so a lane's places in each step differ by constants, too.
    int places_A[STEPS], places_B[WN / 16];
    #pragma unroll
    for (int step = 0; step < STEPS; ++step)
        places_A[step] = place<BK / 8>(warp_row + lane % 16, 2 * step + lane / 16);
    #pragma unroll
    for (int j = 0; j < WN / 16; ++j)
        places_B[j] = BM * BK + place<BN / 8>(lane % 16, warp_col / 8 + 2 * j + lane / 16);
    auto load_a = [&](int stage, int step, int i) {
        load_matrices(a[i], tiles + stage + places_A[step] + 16 * i * BK);
    };
    auto load_b = [&](int stage, int step, int j) {
        load_transposed(b[j], tiles + stage + places_B[j] + 16 * step * BN);
    };
    for (int s = 0; s < STAGES - 1; ++s) begin_copy();
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();  // barrier 1: the first phase's tiles have arrived
    int stage = 0;
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i) load_a(stage, 0, i);
    #pragma unroll
    for (int j = 0; j < WN / 16; ++j) load_b(stage, 0, j);
    for (int phase = 0; phase < phases; ++phase)
        #pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step == 0) begin_copy();
            if (step == STEPS - 1) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();  // barrier 2: the next tiles are there, these free
                stage = stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE;
            }
            bool more = step < STEPS - 1 || phase + 1 < phases;
            // When its last product has begun, a fragment is loaded for the next step.
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
                #pragma unroll
                for (int j = 0; j < WN / 16; ++j) {
                    multiply(sum[i][2 * j], a[i], b[j][0], b[j][1]);
                    multiply(sum[i][2 * j + 1], a[i], b[j][2], b[j][3]);
                    if (more && i == WM / 16 - 1) load_b(stage, (step + 1) % STEPS, j);
                }
                if (more) load_a(stage, (step + 1) % STEPS, i);
            }
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
