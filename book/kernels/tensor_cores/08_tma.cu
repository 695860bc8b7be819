// finds: nothing
// launch: grid=1, block=384, shared_mem=196672, args=[tensor_map(numbers("float16", 128, 256), (128, 64), 128), tensor_map(numbers("float16", 256, 256), (64, 64), 128), empty(128, 256), 128, 256, 256]

constexpr int BM = 128, BN = 256, BK = 64;   // a block's tile of C, and the depth of a phase: 128 bytes of a row of A
constexpr int STAGES = 4;                    // slots of the ring, each with a tile of A and one of B
constexpr int GROUP = 8;                     // rows of tiles, for blocks that run together
constexpr int CONSUMERS = BM / 64;           // warpgroups that multiply, 64 rows each
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr int TILE_A = 2 * BM * BK, PANEL = 2 * BK * 64, STAGE = TILE_A + 2 * BK * BN;  // bytes

using Barrier = unsigned long long;
using Descriptor = unsigned long long;

// Describes a matrix in global memory to the copy engine; the host fills it in with cuTensorMapEncodeTiled.
struct alignas(64) TensorMap {
    unsigned long long words[16];
};

__device__ unsigned place(const void* shared)
{
    return __cvta_generic_to_shared(shared);
}

__device__ void make(Barrier* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(place(barrier)), "r"(arrivals) : "memory");
}

__device__ void expect(int bytes, Barrier* barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(place(barrier)), "r"(bytes) : "memory");
}

__device__ void arrive(Barrier* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(place(barrier)) : "memory");
}

__device__ void wait_for(Barrier* barrier, int parity)
{
    int open = 0;
    while (!open)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(place(barrier)), "r"(parity) : "memory");
}

// Begins to copy a box of the matrix, with its first element at (row, col), to shared memory. What lies outside the
// matrix is filled with zeros. The bytes arrive at `barrier`.
__device__ void begin_copy(void* to, const TensorMap* matrix, int row, int col, Barrier* barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(place(to)), "l"(matrix), "r"(col), "r"(row), "r"(place(barrier)) : "memory");
}

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

// C = A B, whose sides are multiples of BM, BN and BK. One warp has tiles copied, the others multiply them.
__launch_bounds__(THREADS, 1)
__global__ void gemm_tma(
    const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, float* C, int M, int N, int K)
{
    extern __shared__ __align__(1024) char ring[];  // the swizzle repeats after eight rows, or 1024 bytes
    Barrier* full = (Barrier*)(ring + STAGES * STAGE);  // one for each slot: its tiles have arrived
    Barrier* empty = full + STAGES;                     // and: nobody needs them any more
    // Blocks that run at the same time share rows and columns of tiles, which the L2 cache then holds.
    int rows = M / BM, cols = N / BN, group = blockIdx.x / (GROUP * cols), within = blockIdx.x % (GROUP * cols);
    int tall = min(GROUP, rows - group * GROUP);
    int block_row = (group * GROUP + within % tall) * BM, block_col = within / tall * BN;
    int warpgroup = threadIdx.x / 128, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < STAGES; ++slot) {
            make(&full[slot], 1);               // the producer
            make(&empty[slot], 4 * CONSUMERS);  // a lane of each warp
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // before the copy engine arrives there
    }
    __syncthreads();  // the barriers are ready

    int phases = K / BK, slot = 0, parity = 0;  // of the barriers that open next
    if (warpgroup == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 128 * CONSUMERS)
            for (int phase = 0; phase < phases; ++phase) {
                wait_for(&empty[slot], parity ^ 1);  // at first it need not wait: the parity before 0 is 1
                expect(STAGE, &full[slot]);
                char* to = ring + slot * STAGE;
                begin_copy(to, &A, block_row, phase * BK, &full[slot]);
                for (int panel = 0; panel < BN / 64; ++panel)
                    begin_copy(to + TILE_A + panel * PANEL, &B, phase * BK, block_col + 64 * panel, &full[slot]);
                if (++slot == STAGES) slot = 0, parity ^= 1;
            }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    float sum[32][4];  // not zeroed: the first product writes it
    for (int phase = 0; phase < phases; ++phase) {
        wait_for(&full[slot], parity);
        Descriptor a = descriptor(ring + slot * STAGE + 128 * 64 * warpgroup, 1024, 0);
        Descriptor b = descriptor(ring + slot * STAGE + TILE_A, 1024, PANEL);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // from here on `sum` belongs to the tensor cores
        #pragma unroll
        for (int step = 0; step < BK / 16; ++step)  // the next 16 columns of a, and rows of b
            multiply(sum, a + step * 32 / 16, b + step * 2048 / 16, phase + step > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the phase before is done, so its slot is free
        if (phase > 0 && lane == 0) arrive(&empty[(slot + STAGES - 1) % STAGES]);
        if (++slot == STAGES) slot = 0, parity ^= 1;
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
