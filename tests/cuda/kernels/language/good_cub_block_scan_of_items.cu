// kernel: scanned   grid: 1   block: 16,3,1
// args: a int32[144] random, out int32[1008] poison
// expect: nothing
// check: out == np.concatenate((lambda s, m: [s, s - a, np.append(9, np.maximum(m[:-1], 9)), np.append(a[0], m[:-1]), m, s + 100, s - a + 100])(np.cumsum(a), np.maximum.accumulate(a)))
#include <cub/cub.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Before {
    __device__ int operator()(int all) { return threadIdx.x == 0 ? 100 : all; }
};
using Scan = cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 3>;

__global__ void scanned(const int* a, int* out)
{
    __shared__ typename Scan::TempStorage storage;
    int t = threadIdx.y * 16 + threadIdx.x, sum;
    for (int which = 0; which < 7; which++) {
        int items[3] = {a[3 * t], a[3 * t + 1], a[3 * t + 2]}, found[3];
        Before before;
        if (which == 0) Scan(storage).InclusiveSum(items, found, sum);
        if (which == 1) Scan(storage).ExclusiveSum(items, found);
        if (which == 2) Scan(storage).ExclusiveScan(items, found, 9, Larger());
        if (which == 3) Scan(storage).ExclusiveScan(items, found, Larger());
        if (which == 4) Scan(storage).InclusiveScan(items, found, Larger());
        if (which == 5) Scan(storage).InclusiveSum(items, found, before);
        if (which == 6) Scan(storage).ExclusiveSum(items, found, before);
        if (which == 3 && t == 0) found[0] = items[0];  // (it has no value)
        for (int i = 0; i < 3; i++) out[144 * which + 3 * t + i] = found[i];
        __syncthreads();
    }
}
