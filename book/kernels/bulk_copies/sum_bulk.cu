// finds: nothing
// launch: grid=2, block=32, shared_mem=65536, args=[numbers('int32', 65536), zeros('int32', 64), 16]

constexpr int THREADS = 32;               // of a block
constexpr int STAGES = 4, TILE = 4096;    // tiles of a ring; numbers of each
constexpr int EACH = TILE / 4 / THREADS;  // pieces of a tile for each thread

// A barrier in shared memory. It opens for a first time, a second time, ...
using Barrier = unsigned long long;

// An address in shared memory as PTX takes it.
__device__ unsigned place(const void* shared)
{
    return __cvta_generic_to_shared(shared);
}

// For one thread: `barrier` opens when one thread has arrived there, and all
// bytes that this thread expects have arrived, too.
__device__ void make(Barrier* barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
                 :: "r"(place(barrier)) : "memory");
}

// For one thread: arrives at `barrier`, expects `bytes` there, and has them
// copied.
__device__ void begin_copy(void* to, const void* from, int bytes, Barrier* barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(place(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(place(to)), "l"(from), "r"(bytes), "r"(place(barrier))
                 : "memory");
}

// Waits until `barrier` has opened: for parity 0 a first, third, ... time,
// for parity 1 a second, fourth, ...
__device__ void wait_for(Barrier* barrier, int parity)
{
    int open = 0;
    while (!open)
        asm volatile("{ .reg .pred p;"
                     "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                     "  selp.b32 %0, 1, 0, p; }"
                     : "=r"(open) : "r"(place(barrier)), "r"(parity) : "memory");
}

// Each thread adds up its share of the block's tiles, four numbers at a time.
// The first thread has them copied to a ring of tiles.
__global__ void sum_bulk(const int* in, int* sums, int tiles)
{
    extern __shared__ __align__(128) int ring[];
    __shared__ Barrier full[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) make(&full[s]);
        // The engine sees the barriers, too.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();  // the barriers are ready

    auto copy = [&](int round) {
        int tile = blockIdx.x + round * gridDim.x, s = round % STAGES;
        const int* from = in + (size_t)tile * TILE;
        if (threadIdx.x == 0 && tile < tiles)
            begin_copy(ring + s * TILE, from, 4 * TILE, &full[s]);
    };
    for (int round = 0; round < STAGES; ++round) copy(round);

    int4 sum = make_int4(0, 0, 0, 0);
    for (int round = 0; blockIdx.x + round * gridDim.x < tiles; ++round) {
        int s = round % STAGES;
        wait_for(&full[s], round / STAGES % 2);
        const int4* numbers = (const int4*)(ring + s * TILE);
        #pragma unroll 8
        for (int i = 0; i < EACH; ++i) {
            int4 four = numbers[i * THREADS + threadIdx.x];
            sum.x += four.x;
            sum.y += four.y;
            sum.z += four.z;
            sum.w += four.w;
        }
        __syncthreads();       // all have read the tile
        copy(round + STAGES);  // into its place
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}
