// finds: nothing
// launch: grid=2, block=32, shared_mem=65536, args=[numbers('int32', 65536), zeros('int32', 64), 16]

#include <cuda_pipeline.h>

constexpr int THREADS = 32;               // of a block
constexpr int STAGES = 4, TILE = 4096;    // tiles of a ring; numbers of each
constexpr int EACH = TILE / 4 / THREADS;  // pieces of a tile for each thread

// The same by way of a ring of tiles in shared memory. A thread reads only what
// it has copied itself, so there is no barrier.
__global__ void sum_async(const int* in, int* sums, int tiles)
{
    extern __shared__ __align__(128) int ring[];
    auto begin_copy = [&](int round) {
        int tile = blockIdx.x + round * gridDim.x;
        int4* to = (int4*)(ring + round % STAGES * TILE) + threadIdx.x;
        const int4* from = (const int4*)(in + (size_t)tile * TILE) + threadIdx.x;
        if (tile < tiles) {
            #pragma unroll
            for (int i = 0; i < EACH; ++i)
                __pipeline_memcpy_async(&to[i * THREADS], &from[i * THREADS], 16);
        }
        __pipeline_commit();  // a group for each round, perhaps an empty one
    };
    for (int round = 0; round < STAGES; ++round) begin_copy(round);

    int4 sum = make_int4(0, 0, 0, 0);
    for (int round = 0; blockIdx.x + round * gridDim.x < tiles; ++round) {
        __pipeline_wait_prior(STAGES - 1);
        const int4* numbers = (const int4*)(ring + round % STAGES * TILE);
        #pragma unroll 8
        for (int i = 0; i < EACH; ++i) {
            int4 four = numbers[i * THREADS + threadIdx.x];
            sum.x += four.x;
            sum.y += four.y;
            sum.z += four.z;
            sum.w += four.w;
        }
        begin_copy(round + STAGES);  // into its place
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}
