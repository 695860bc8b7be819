// finds: nothing
// launch: grid=2, block=384, shared_mem=229440, args=[tensor_map(numbers("float16", 256, 256), (128, 64), 128), tensor_map(numbers("float16", 256, 256), (32, 64), 128), tensor_map(zeros("float32", 256, 256), (16, 32), 128), 256, 256, 256, 1, zeros("int32", 16)]

#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int BM = 128, BN = 256, BK = 64;   // a block's tile of C, and the depth of a phase: 128 bytes of a row of A
constexpr int STAGES = 4;                    // slots of the ring, each with a tile of A and one of B
constexpr int CLUSTER = 2;                   // blocks, one below the other, that share tiles of B
constexpr int GROUP = 8;                     // rows of tiles, for clusters that run together
constexpr int CONSUMERS = BM / 64;           // warpgroups that multiply, 64 rows each
constexpr int THREADS = 128 * (CONSUMERS + 1);
constexpr int TILE_A = 2 * BM * BK, PANEL = 2 * BK * 64, STAGE = TILE_A + 2 * BK * BN;  // bytes
constexpr int PIECE = 16 * 128;              // bytes of C that a warp stores at once: 16 rows of 128

using Pair = float2;  // two neighbors in a row of C: float2, half2 or __nv_bfloat162
constexpr int WIDE = 256 / sizeof(Pair);  // columns of a piece

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

// Arrives at the barrier that a block of the cluster has at the same place.
__device__ void arrive(Barrier* barrier, int block)
{
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                 "  mbarrier.arrive.shared::cluster.b64 _, [there]; }"
                 :: "r"(place(barrier)), "r"(block) : "memory");
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

// The same, to the same place in all blocks of the cluster, and at the barrier of each.
__device__ void begin_copy_to_all(void* to, const TensorMap* matrix, int row, int col, Barrier* barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(place(to)), "l"(matrix), "r"(col), "r"(row), "r"(place(barrier)),
                    "h"((unsigned short)((1 << CLUSTER) - 1)) : "memory");
}

// Begins to store a box from shared memory, or to add it to what is there. What lies outside the matrix is left out.
__device__ void begin_store(const TensorMap* matrix, int row, int col, const void* from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(matrix), "r"(col), "r"(row), "r"(place(from)) : "memory");
}

__device__ void begin_add(const TensorMap* matrix, int row, int col, const void* from)
{
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(matrix), "r"(col), "r"(row), "r"(place(from)) : "memory");
}

__device__ void meet_cluster()
{
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

__device__ void put(float2* to, float x, float y) { *to = make_float2(x, y); }
__device__ void put(half2* to, float x, float y) { *to = __floats2half2_rn(x, y); }
__device__ void put(__nv_bfloat162* to, float x, float y) { *to = __floats2bfloat162_rn(x, y); }

// Nothing that reads `sum` may come before this: before it, tensor cores may still write there.
template <int N> __device__ void finished(float (&sum)[N][4])
{
    #pragma unroll
    for (int i = 0; i < 4 * N; ++i) asm volatile("" : "+f"(sum[i / 4][i % 4]) :: "memory");
}

// A descriptor says where a matrix in shared memory begins, how far eight of its rows are from the next eight, and one
// panel of B from the next, all in units of 16 bytes; and that its rows have 128 bytes and are swizzled. In a cluster,
// an address has the block's number in its upper bits, which don't belong here.
__device__ Descriptor descriptor(const void* matrix, int eight_rows, int panel)
{
    Descriptor start = place(matrix) % (1 << 18);
    return start / 16 | panel / 16ull << 16 | eight_rows / 16ull << 32 | 1ull << 62;
}

// Four, and 32, of the operands of `multiply`.
#define FOUR(i) "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
#define MANY(i) FOUR(i), FOUR(i + 1), FOUR(i + 2), FOUR(i + 3), FOUR(i + 4), FOUR(i + 5), FOUR(i + 6), FOUR(i + 7)

// Begins sum += a b, or sum = a b where `add` is 0: 64 x 16 times 16 x 128, for a warpgroup; below, times 16 x 192, and
// 16 x 256. `p` is `add` in a register of one bit. The last numbers: no sign is changed; neighbors in a row are
// neighbors in k in `a`, and not in `b`.
__device__ void multiply(float (&sum)[16][4], Descriptor a, Descriptor b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "
                 "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "
                 "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "
                 "%59, %60, %61, %62, %63"
                 "}, %64, %65, p, 1, 1, 0, 1; }"
                 : MANY(0), MANY(8)
                 : "l"(a), "l"(b), "r"(add));
}

__device__ void multiply(float (&sum)[24][4], Descriptor a, Descriptor b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "
                 "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "
                 "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "
                 "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "
                 "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
                 "}, %96, %97, p, 1, 1, 0, 1; }"
                 : MANY(0), MANY(8), MANY(16)
                 : "l"(a), "l"(b), "r"(add));
}

__device__ void multiply(float (&sum)[32][4], Descriptor a, Descriptor b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "
                 "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "
                 "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "
                 "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "
                 "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "
                 "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, "
                 "%113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
                 "}, %128, %129, p, 1, 1, 0, 1; }"
                 : MANY(0), MANY(8), MANY(16), MANY(24)
                 : "l"(a), "l"(b), "r"(add));
}

// What a cluster multiplies, part by part: phases `first` to `last` - 1 of a tile. First come whole tiles, one of every
// so many. The phases of all other tiles are cut into equal shares, each from within one tile to within another.
struct Parts {
    int tile, first, last;
    int whole, phases, rest, clusters, sharers, cluster, fresh, next = 0, end = 0;

    __device__ Parts(int tiles, int whole, int phases) : whole(whole), phases(phases), rest((tiles - whole) * phases)
    {
        cluster = fresh = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
        sharers = min(clusters, rest);
        if (cluster < sharers) next = cluster * rest / sharers, end = (cluster + 1) * rest / sharers;
    }

    // Goes on to the next part, if there is one.
    __device__ bool advance()
    {
        if (fresh < whole) {
            tile = fresh, first = 0, last = phases, fresh += clusters;
            return true;
        }
        if (next == end) return false;
        tile = whole + next / phases, first = next % phases, last = min(phases, first + end - next);
        next += last - first;
        return true;
    }

    // How many clusters multiply later phases of this tile.
    __device__ int later()
    {
        return last == phases ? 0 : ((tile - whole + 1) * phases * sharers - 1) / rest - cluster;
    }
};

// The first row and the first column of a tile, of `rows` x `cols` tiles with the height of a cluster. Clusters that
// run at the same time share rows and columns of tiles, which the L2 cache then holds.
__device__ int2 corner(int tile, int rows, int cols)
{
    int group = tile / (GROUP * cols), within = tile % (GROUP * cols), tall = min(GROUP, rows - group * GROUP);
    int row = (group * GROUP + within % tall) * CLUSTER + blockIdx.x % CLUSTER;
    return make_int2(row * BM, within / tall * BN);
}

// C = A B, whose sides may be any, if a row has a multiple of 16 bytes. As many clusters as fit multiply tile after
// tile. Tiles from number `whole` on are shared; `done`, which must be 0 and is left so, counts their parts.
__launch_bounds__(THREADS, 1) __cluster_dims__(CLUSTER)
__global__ void gemm_persistent(
    const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, const __grid_constant__ TensorMap C,
    int M, int N, int K, int whole, int* done)
{
    extern __shared__ __align__(1024) char ring[];  // the swizzle repeats after eight rows, or 1024 bytes
    char* pieces = ring + STAGES * STAGE;           // two for each warp
    Barrier* full = (Barrier*)(pieces + 4 * CONSUMERS * 2 * PIECE);  // one for each slot: its tiles have arrived
    Barrier* empty = full + STAGES;                                  // and: no block needs them any more
    int rows = (M + CLUSTER * BM - 1) / (CLUSTER * BM), cols = (N + BN - 1) / BN, phases = (K + BK - 1) / BK;
    int rank = blockIdx.x % CLUSTER, lane = threadIdx.x % 32;
    int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), warpgroup = warp / 4;  // the compiler sees: equal in all lanes
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < STAGES; ++slot) {
            make(&full[slot], 1);                         // the producer
            make(&empty[slot], 4 * CONSUMERS * CLUSTER);  // a lane of each warp of the cluster
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // for the other blocks of the cluster, too
    }
    // The barriers of all blocks are ready: the fence has released them.
    asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");

    Parts part(rows * cols, whole, phases);
    int slot = 0, parity = 0;  // of the barriers that open next
    auto advance = [&] {
        if (++slot == STAGES) slot = 0, parity ^= 1;
    };
    if (warpgroup == CONSUMERS) {
        if (CONSUMERS == 2) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 128 * CONSUMERS)
            while (part.advance()) {
                int2 at = corner(part.tile, rows, cols);
                for (int phase = part.first; phase < part.last; ++phase, advance()) {
                    wait_for(&empty[slot], parity ^ 1);  // at first it need not wait: the parity before 0 is 1
                    expect(STAGE, &full[slot]);
                    char* to = ring + slot * STAGE;
                    begin_copy(to, &A, at.x, phase * BK, &full[slot]);
                    // Each block has its share of B's rows copied to all.
                    constexpr int SHARE = BK / CLUSTER;
                    int k = rank * SHARE;
                    for (int panel = 0; panel < BN / 64; ++panel)
                        begin_copy_to_all(
                            to + TILE_A + panel * PANEL + k * 128, &B, phase * BK + k, at.y + 64 * panel, &full[slot]);
                }
            }
    } else {
        if (CONSUMERS == 2) asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        auto release = [&] {  // the slot before this one, in all blocks
            if (lane < CLUSTER) arrive(&empty[(slot + STAGES - 1) % STAGES], lane);
        };
        float sum[BN / 8][4];
        while (part.advance()) {
            for (int phase = part.first; phase < part.last; ++phase, advance()) {
                wait_for(&full[slot], parity);
                Descriptor a = descriptor(ring + slot * STAGE + 128 * 64 * warpgroup, 1024, 0);
                Descriptor b = descriptor(ring + slot * STAGE + TILE_A, 1024, PANEL);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // from here on tensor cores own `sum`
                #pragma unroll
                for (int step = 0; step < BK / 16; ++step)  // the next 16 columns of a, and rows of b
                    multiply(sum, a + step * 32 / 16, b + step * 2048 / 16, phase > part.first || step > 0);
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the phase before is done
                if (phase > part.first) release();
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            finished(sum);
            release();

            // Of a shared tile, the cluster with its last phases stores its sums; the others add theirs in turn.
            int later = part.later();
            int* count = done + ((part.tile - whole) * CLUSTER + rank) * 4 * CONSUMERS + warp;
            if (later > 0 && lane == 0) {
                int stored = 0;  // the parts of this tile that are in C
                while (stored < later)
                    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(stored) : "l"(count) : "memory");
                asm volatile("fence.proxy.async;" ::: "memory");  // for the copy engine, too
            }
            int2 at = corner(part.tile, rows, cols);
            int row = lane / 4, turn = row % 2 * 2;
            #pragma unroll
            for (int p = 0; p < BN / WIDE; ++p) {
                char* piece = pieces + (2 * warp + p % 2) * PIECE;
                // The copy engine has read what was in this piece before.
                if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
                __syncwarp();
                #pragma unroll
                for (int j = 0; j < WIDE / 8; ++j) {
                    // Rows differ in their order, so that a warp's stores go to different banks.
                    const float *even = sum[p * (WIDE / 8) + j], *odd = sum[p * (WIDE / 8) + (j ^ 2)];
                    int byte = (8 * (j ^ turn) + lane % 4 * 2) * sizeof(Pair) / 2;
                    char* to = piece + row * 128 + (byte ^ row * 16);
                    put((Pair*)to, turn ? odd[0] : even[0], turn ? odd[1] : even[1]);
                    put((Pair*)(to + 8 * 128), turn ? odd[2] : even[2], turn ? odd[3] : even[3]);
                }
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine sees what was stored
                __syncwarp();
                if (lane == 0) {
                    if (later > 0) begin_add(&C, at.x + 16 * warp, at.y + p * WIDE, piece);
                    else begin_store(&C, at.x + 16 * warp, at.y + p * WIDE, piece);
                    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
                }
            }
            if (lane == 0 && part.first > 0) {
                asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");  // all is stored
                __threadfence();
                atomicAdd(count, 1);
            } else if (lane == 0 && later > 0) {
                atomicExch(count, 0);
            }
        }
        if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    meet_cluster();  // until then another block may copy to this one, or arrive here
}
