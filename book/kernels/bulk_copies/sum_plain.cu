// finds: nothing
// launch: grid=2, block=32, args=[numbers('int32', 65536), zeros('int32', 64), 16]

constexpr int THREADS = 32, TILE = 4096;  // of a block; numbers of a tile
constexpr int EACH = TILE / 4 / THREADS;  // pieces of a tile for each thread

// Each thread adds up its share of the block's tiles, four numbers at a time.
__global__ void sum_plain(const int* in, int* sums, int tiles)
{
    int4 sum = make_int4(0, 0, 0, 0);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int4* numbers = (const int4*)(in + (size_t)tile * TILE);
        #pragma unroll 8
        for (int i = 0; i < EACH; ++i) {
            int4 four = numbers[i * THREADS + threadIdx.x];
            sum.x += four.x;
            sum.y += four.y;
            sum.z += four.z;
            sum.w += four.w;
        }
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}
