// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=256, shared_mem=147456, args=[numbers("float16", 128, 256), numbers("float16", 256, 256), empty(128, 256), 128, 256, 256]

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int BM = 128, BN = 256, BK = 64;   // a block's tile of C, and the depth of a phase: 128 bytes of a row of A
constexpr int STAGES = 3;                    // buffers of each tile
constexpr int GROUP = 8;                     // rows of tiles, for blocks that run together
constexpr int THREADS = 2 * BM;              // a warpgroup, 128 threads, for each 64 rows
constexpr int STAGE = BM * BK + BK * BN;     // halves

// Nothing that reads `sum` may come before this: before it, tensor cores may still write there.
template <int N> __device__ void finished(float (&sum)[N][4])
{
    #pragma unroll
    for (int i = 0; i < 4 * N; ++i) asm volatile("" : "+f"(sum[i / 4][i % 4]) :: "memory");
}

// A descriptor says where a matrix in shared memory begins, how far eight of its
// rows are from the next eight, and one panel of B from the next, all in units
// of 16 bytes; and that its rows have 128 bytes and are swizzled.
__device__ unsigned long long descriptor(const void* matrix, int eight_rows,
                                         int panel)
{
    unsigned long long start = __cvta_generic_to_shared(matrix);
    return start / 16 | panel / 16ull << 16 | eight_rows / 16ull << 32
           | 1ull << 62;
}

// Four of the operands of `multiply`.
#define FOUR(i) "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])

// Begins sum += a b, or sum = a b where `add` is 0: 64 x 16 times 16 x 256, for a warpgroup. `p` is `add` in a register
// of one bit. The last numbers: no sign is changed; neighbors in a row are neighbors in k in `a`, and not in `b`.
__device__ void multiply(float (&sum)[32][4], unsigned long long a, unsigned long long b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
                 "}, %128, %129, p, 1, 1, 0, 1; }"
                 : FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6), FOUR(7), FOUR(8), FOUR(9), FOUR(10),
                   FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15), FOUR(16), FOUR(17), FOUR(18), FOUR(19), FOUR(20),
                   FOUR(21), FOUR(22), FOUR(23), FOUR(24), FOUR(25), FOUR(26), FOUR(27), FOUR(28), FOUR(29), FOUR(30),
                   FOUR(31)
                 : "l"(a), "l"(b), "r"(add));
}

// C = A B, whose sides are multiples of BM, BN and BK. While a phase is multiplied, the next ones' tiles are under way.
__launch_bounds__(THREADS, 1)
__global__ void gemm_wgmma(const half* A, const half* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(1024) half tiles[];  // the swizzle repeats after eight rows, or 1024 bytes
    // Blocks that run at the same time share rows and columns of tiles, which the L2 cache then holds.
    int rows = M / BM, cols = N / BN, group = blockIdx.x / (GROUP * cols), within = blockIdx.x % (GROUP * cols);
    int tall = min(GROUP, rows - group * GROUP);
    int block_row = (group * GROUP + within % tall) * BM, block_col = within / tall * BN;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, warpgroup = thread / 128;
    A += block_row * K;
    B += block_col;
    float sum[32][4];  // not zeroed: the first product writes it

    // Each thread copies the same 16 bytes of every so many rows, so its places differ by constants alone. In shared
    // memory all rows have 128 bytes, and row r keeps its piece number c at c ^ (r % 8). B is cut into four panels.
    constexpr int ROWS_A = THREADS / (BK / 8), ROWS_B = THREADS / (BN / 8);
    int row_A = thread / (BK / 8), row_B = thread / (BN / 8), piece = thread % 8, panel = thread % (BN / 8) / 8;
    const half* from_A = A + row_A * K + 8 * piece;
    const half* from_B = B + row_B * N + 64 * panel + 8 * piece;
    int to_A = 64 * row_A + 8 * (piece ^ row_A % 8);
    int to_B = BM * BK + 64 * (panel * BK + row_B) + 8 * (piece ^ row_B % 8);
    int phases = K / BK, copied = 0, into = 0;  // the next phase to copy, and where its tiles begin
    auto begin_copy = [&] {
        if (copied < phases) {
            #pragma unroll
            for (int i = 0; i < BM / ROWS_A; ++i)
                __pipeline_memcpy_async(tiles + into + to_A + i * ROWS_A * 64, from_A + i * ROWS_A * K, 16);
            #pragma unroll
            for (int i = 0; i < BK / ROWS_B; ++i)
                __pipeline_memcpy_async(tiles + into + to_B + i * ROWS_B * 64, from_B + i * ROWS_B * N, 16);
            from_A += BK;
            from_B += BK * N;
        }
        __pipeline_commit();  // the copies since the last commit are one group, perhaps an empty one
        ++copied;
        into = into == (STAGES - 1) * STAGE ? 0 : into + STAGE;
    };
    for (int s = 0; s < STAGES - 1; ++s) begin_copy();
    int stage = 0;
    for (int phase = 0; phase < phases; ++phase) {
        __pipeline_wait_prior(STAGES - 2);
        // Tensor cores see what this thread has copied.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();  // barrier 1: this phase's tiles have arrived
        unsigned long long a = descriptor(tiles + stage + 64 * warpgroup * BK, 1024, 0);
        unsigned long long b = descriptor(tiles + stage + BM * BK, 1024, 128 * BK);
        // From here on `sum` belongs to the tensor cores.
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        // In each step, the next 16 columns of a, and rows of b.
        #pragma unroll
        for (int step = 0; step < BK / 16; ++step)
            multiply(sum, a + step * 32 / 16, b + step * 2048 / 16, phase + step > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // At most one group of products goes on.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        __syncthreads();  // barrier 2: now nobody needs the tiles of the phase before
        begin_copy();     // into their place
        stage = stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    finished(sum);
    C += (block_row + 16 * warp + lane / 4) * N + block_col + lane % 4 * 2;  // each warp holds 16 rows, as by mma.sync
    #pragma unroll
    for (int j = 0; j < BN / 8; ++j) {
        *(float2*)&C[8 * j] = make_float2(sum[j][0], sum[j][1]);
        *(float2*)&C[8 * N + 8 * j] = make_float2(sum[j][2], sum[j][3]);
    }
}
