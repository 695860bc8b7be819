// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=1, block=256, shared_mem=147456, args=[numbers("float32", 256, 128), numbers("float32", 128, 128), empty(256, 128), 256, 128, 128]

#include <cuda_pipeline.h>

constexpr int BM = 256, BN = 128, BK = 32;   // a block's tile of C, and the depth of a phase: 128 bytes of a row of A
constexpr int STAGES = 3;                    // buffers of each tile
constexpr int GROUP = 8;                     // rows of tiles, for blocks that run together
constexpr int THREADS = 2 * BN;              // a warpgroup, 128 threads, for each 64 columns
constexpr int STAGE = BM * BK + BK * BN;     // floats

// Nothing that reads `sum` may come before this: before it, tensor cores may still write there.
template <int N> __device__ void finished(float (&sum)[N][4])
{
    #pragma unroll
    for (int i = 0; i < 4 * N; ++i) asm volatile("" : "+f"(sum[i / 4][i % 4]) :: "memory");
}

// A descriptor says where a matrix in shared memory begins, and how far eight of its rows are from the next eight, in
// units of 16 bytes; and that its rows have 128 bytes and are swizzled.
__device__ unsigned long long descriptor(const void* matrix, int eight_rows)
{
    unsigned long long start = __cvta_generic_to_shared(matrix);
    return start / 16 | eight_rows / 16ull << 32 | 1ull << 62;
}

// Four of the operands of `multiply`.
#define FOUR(i) "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])

// Begins sum += b a, or sum = b a where `add` is 0: 64 x 8 times 8 x 256, for a warpgroup, with b in registers. `p` is
// `add` in a register of one bit. The floats are not rounded to TF32: an H200 ignores the last 13 bits of each.
__device__ void multiply(float (&sum)[32][4], const unsigned (&b)[4], unsigned long long a, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
                 "}, {%128, %129, %130, %131}, %132, p, 1, 1; }"
                 : FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6), FOUR(7), FOUR(8), FOUR(9), FOUR(10),
                   FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15), FOUR(16), FOUR(17), FOUR(18), FOUR(19), FOUR(20),
                   FOUR(21), FOUR(22), FOUR(23), FOUR(24), FOUR(25), FOUR(26), FOUR(27), FOUR(28), FOUR(29), FOUR(30),
                   FOUR(31)
                 : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(add));
}

// Where the four floats of a row of B that begin at 4 * piece are kept: a warp loads eight floats of each of four rows
// at once, from different banks.
__device__ int place_B(int row, int piece)
{
    return 4 * (row * (BN / 4) + (piece ^ row % 4 * 2));
}

// C = A B, whose sides are multiples of BM, BN and 2 BK. It is computed as C' = B' A' (' is transposed). From shared
// memory wgmma takes TF32 only with neighbors in k side by side, as in A; but the first factor may be in registers.
__launch_bounds__(THREADS, 1)
__global__ void gemm_wgmma_tf32(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(1024) float tiles[];  // the swizzle repeats after eight rows, or 1024 bytes
    // Blocks that run at the same time share rows and columns of tiles, which the L2 cache then holds.
    int rows = M / BM, cols = N / BN, group = blockIdx.x / (GROUP * cols), within = blockIdx.x % (GROUP * cols);
    int tall = min(GROUP, rows - group * GROUP);
    int block_row = (group * GROUP + within % tall) * BM, block_col = within / tall * BN;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    A += block_row * K;
    B += block_col;
    float sum[32][4];  // not zeroed: the first product writes it
    unsigned b[2][BK / 8][4];  // of this phase, and of the one before, which may still be multiplied

    // Each thread copies the same 16 bytes of every so many rows, so its places differ by constants alone.
    constexpr int ROWS_A = THREADS / (BK / 4), ROWS_B = THREADS / (BN / 4);
    int row_A = thread / (BK / 4), row_B = thread / (BN / 4), piece = thread % 8;
    const float* from_A = A + row_A * K + 4 * piece;
    const float* from_B = B + row_B * N + 4 * (thread % (BN / 4));
    int to_A = 32 * row_A + 4 * (piece ^ row_A % 8), to_B = BM * BK + place_B(row_B, thread % (BN / 4));
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
    int places_B[2];  // of this lane's columns, 8 apart
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        places_B[i] = BM * BK + place_B(lane % 4, 4 * warp + 2 * i + lane / 16) + lane / 4 % 4;
    for (int s = 0; s < STAGES - 1; ++s) begin_copy();
    int stage = 0;
    for (int phase = 0; phase < phases; phase += 2)
        #pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
            __pipeline_wait_prior(STAGES - 2);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // tensor cores see what this thread copied
            __syncthreads();  // barrier 1: this phase's tiles have arrived
            #pragma unroll
            for (int step = 0; step < BK / 8; ++step)
                #pragma unroll
                for (int i = 0; i < 4; ++i)
                    b[odd][step][i] = __float_as_uint(tiles[stage + places_B[i % 2] + (8 * step + i / 2 * 4) * BN]);
            unsigned long long a = descriptor(tiles + stage, 1024);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // from here on tensor cores own `sum` and `b[odd]`
            #pragma unroll
            for (int step = 0; step < BK / 8; ++step)  // the next 8 columns of a
                multiply(sum, b[odd][step], a + step * 32 / 16, phase + odd + step > 0);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // at most one group of products goes on
            __syncthreads();  // barrier 2: now nobody needs the tiles of the phase before
            begin_copy();     // into their place
            stage = stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE;
        }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    finished(sum);
    C += (block_row + lane % 4 * 2) * N + block_col + 16 * warp + lane / 4;  // `sum` is a tile of C, transposed
    #pragma unroll
    for (int j = 0; j < BM / 8; ++j) {
        C[8 * j * N] = sum[j][0];
        C[(8 * j + 1) * N] = sum[j][1];
        C[8 * j * N + 8] = sum[j][2];
        C[(8 * j + 1) * N + 8] = sum[j][3];
    }
}
