// kernel: prefixes   grid: 1   block: 64
// args: a int32[256] random, out int32[256] poison
// expect: Race lines=1,2 array=storage hazard=write-after-read
#include <cub/cub.cuh>

__global__ void prefixes(const int* a, int* out)
{
    using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Scan = cub::BlockScan<int, 64>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
    } storage;
    int items[4];
    Load(storage.load).Load(a, items);                // (1)
    Scan(storage.scan).InclusiveSum(items, items);    // (2)
    for (int i = 0; i < 4; i++) out[threadIdx.x * 4 + i] = items[i];
}
