// finds: nothing
// launch: name="count_below<4>", grid=8, block=256, shared_mem=65536, args=[numbers('int32', 65536), numbers('int32', 8), zeros('int32', 2048), 16]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int THREADS = 256;              // of a block
constexpr int STAGES = 4, TILE = 4096;    // tiles of a ring; numbers of each
constexpr int EACH = TILE / 4 / THREADS;  // pieces of a tile for each thread

using Barrier = unsigned long long;

__device__ unsigned place(const void* shared)
{
    return __cvta_generic_to_shared(shared);
}

__device__ void make(Barrier* barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
                 :: "r"(place(barrier)) : "memory");
}

__device__ void expect(int bytes, Barrier* barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(place(barrier)), "r"(bytes) : "memory");
}

// Copies to the same place in each block whose bit is set in `blocks`. The
// bytes arrive at each one's own barrier.
__device__ void begin_copy(
    void* to, const void* from, int bytes, Barrier* barrier, unsigned short blocks)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1], %2, [%3], %4;"
                 :: "r"(place(to)), "l"(from), "r"(bytes), "r"(place(barrier)),
                    "h"(blocks)
                 : "memory");
}

__device__ void wait_for(Barrier* barrier, int parity)
{
    int open = 0;
    while (!open)
        asm volatile("{ .reg .pred p;"
                     "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                     "  selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(place(barrier)), "r"(parity) : "memory");
}

// How many of all numbers are below the limit of a block? Each thread counts
// its share. All blocks of a cluster need each tile, and each of them has its
// part of the tile copied to all.
template <int BLOCKS>
__global__ void __cluster_dims__(BLOCKS, 1, 1)
    count_below(const int* in, const int* limits, int* counts, int tiles)
{
    extern __shared__ __align__(128) int ring[];
    __shared__ Barrier full[STAGES];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) make(&full[s]);
        // The engine and the other blocks see the barriers, too.
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();  // the barriers of all blocks are ready

    constexpr int PART = TILE / BLOCKS, ALL = (1 << BLOCKS) - 1;
    auto copy = [&](int tile) {
        int s = tile % STAGES, part = cluster.block_rank() * PART;
        const int* from = in + (size_t)tile * TILE + part;
        if (threadIdx.x == 0 && tile < tiles) {
            expect(4 * TILE, &full[s]);
            begin_copy(ring + s * TILE + part, from, 4 * PART, &full[s], ALL);
        }
    };
    for (int tile = 0; tile < STAGES - 1; ++tile) copy(tile);

    int limit = limits[blockIdx.x], count = 0;
    cluster.barrier_arrive();
    for (int tile = 0; tile < tiles; ++tile) {
        wait_for(&full[tile % STAGES], tile / STAGES % 2);
        cluster.barrier_wait();   // all blocks have read the tile before
        copy(tile + STAGES - 1);  // into its place
        const int4* numbers = (const int4*)(ring + tile % STAGES * TILE);
        #pragma unroll
        for (int i = 0; i < EACH; ++i) {
            int4 four = numbers[i * THREADS + threadIdx.x];
            count += (four.x < limit) + (four.y < limit);
            count += (four.z < limit) + (four.w < limit);
        }
        cluster.barrier_arrive();  // this thread has read the tile
    }
    cluster.barrier_wait();  // each arrival has its wait
    counts[blockIdx.x * THREADS + threadIdx.x] = count;
}
