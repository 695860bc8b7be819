// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=256, shared_mem=147456, args=[numbers("float32", 128, 128), numbers("float32", 128, 256), empty(128, 256), 128, 256, 128]

#include <cuda_pipeline.h>

constexpr int BM = 128, BN = 256, BK = 32;   // a block's tile of C, and the depth of a phase
constexpr int WARPS_M = 2, WARPS_N = 4;      // the block's warps: one below the other, and side by side
constexpr int STAGES = 3;                    // buffers of each tile
constexpr int GROUP = 8;                     // rows of tiles, for blocks that run together
constexpr int WM = BM / WARPS_M, WN = BN / WARPS_N, THREADS = 32 * WARPS_M * WARPS_N;
constexpr int STEPS = BK / 8;                // of a phase
constexpr int STAGE = BM * BK + BK * BN;     // floats

// Four matrices of 8 x 4 floats; eight lanes each say where the rows of one begin. A lane gets one element of each.
__device__ void load_matrices(unsigned (&to)[4], const float* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

// sum += a b: 16 x 8 times 8 x 8. PTX wants floats that cvt.rna has rounded to TF32. These are not: an H200 and
// an H100 ignore the last 13 bits of each.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Where the four floats of a row of A that begin at 4 * piece are kept: the same piece of eight rows is in eight
// different groups of banks.
__device__ int place_A(int row, int piece)
{
    constexpr int PIECES = BK / 4;
    int turn = PIECES >= 8 ? row % 8 : row * PIECES / 8 % PIECES;
    return 4 * (row * PIECES + (piece ^ turn));
}

// The same for B, of which a warp loads eight floats of each of four rows at once.
__device__ int place_B(int row, int piece)
{
    return 4 * (row * (BN / 4) + (piece ^ row % 4 * 2));
}

// C = A B, whose sides are multiples of BM, BN and BK. While a phase is multiplied, the next ones' tiles are under way.
__launch_bounds__(THREADS)
__global__ void gemm_mma_tf32(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(128) float tiles[];
    // Blocks that run at the same time share rows and columns of tiles, which the L2 cache then holds.
    int rows = M / BM, cols = N / BN, group = blockIdx.x / (GROUP * cols), within = blockIdx.x % (GROUP * cols);
    int tall = min(GROUP, rows - group * GROUP);
    int block_row = (group * GROUP + within % tall) * BM, block_col = within / tall * BN;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    int warp_row = warp / WARPS_N * WM, warp_col = warp % WARPS_N * WN;
    A += block_row * K;
    B += block_col;
    float sum[WM / 16][WN / 8][4] = {};
    unsigned a[WM / 16][4], b[WN / 8][2];  // of this step, and, one by one, of the next

    // Each thread copies the same piece of every so many rows, so its places differ by constants alone.
    constexpr int ROWS_A = THREADS / (BK / 4), ROWS_B = THREADS / (BN / 4);
    int row_A = thread / (BK / 4), row_B = thread / (BN / 4);
    const float* from_A = A + row_A * K + 4 * (thread % (BK / 4));
    const float* from_B = B + row_B * N + 4 * (thread % (BN / 4));
    int to_A = place_A(row_A, thread % (BK / 4)), to_B = BM * BK + place_B(row_B, thread % (BN / 4));
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
    int places_A[STEPS], places_B[4];
    #pragma unroll
    for (int step = 0; step < STEPS; ++step) places_A[step] = place_A(warp_row + lane % 16, 2 * step + lane / 16);
    #pragma unroll
    for (int j = 0; j < 4; ++j)
        places_B[j] = BM * BK + place_B(lane % 4, warp_col / 4 + 2 * j + lane / 16) + lane / 4 % 4;
    auto load_a = [&](int stage, int step, int i) {
        load_matrices(a[i], tiles + stage + places_A[step] + 16 * i * BK);
    };
    // One by one: a product wants its two elements of B in neighboring registers, and they are of different rows.
    auto load_b = [&](int stage, int step, int j) {
        const float* at = tiles + stage + places_B[j % 4] + j / 4 * 32 + 8 * step * BN;
        b[j][0] = __float_as_uint(at[0]);
        b[j][1] = __float_as_uint(at[4 * BN]);
    };
    for (int s = 0; s < STAGES - 1; ++s) begin_copy();
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();  // barrier 1: the first phase's tiles have arrived
    int stage = 0;
    #pragma unroll
    for (int i = 0; i < WM / 16; ++i) load_a(stage, 0, i);
    #pragma unroll
    for (int j = 0; j < WN / 8; ++j) load_b(stage, 0, j);
    for (int phase = 0; phase < phases; ++phase)
        #pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step == 0) begin_copy();
            if (step == STEPS - 1) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();  // barrier 2: the next tiles are there, nobody needs these
                stage = stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE;
            }
            bool more = step < STEPS - 1 || phase + 1 < phases;
            // A fragment's last product has begun: its registers get the next step's elements.
            #pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
                #pragma unroll
                for (int j = 0; j < WN / 8; ++j) {
                    multiply(sum[i][j], a[i], b[j][0], b[j][1]);
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
