// kernel: scanned   grid: 1   block: 80
// args: a int32[80] random, out int32[640] poison
// expect: nothing
// check: out == np.concatenate((lambda s, m: [s, s - a, np.maximum(np.append(-7, m[:-1]), -7), m, s + 100, s - a + 100, np.full(80, a.sum()), np.full(80, m[-1])])(np.cumsum(a), np.maximum.accumulate(a)))
#include <cub/block/block_scan.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
// What came before, and what comes now: of the blocks that a block does the work of.
struct Running {
    int before;
    __device__ int operator()(int all)
    {
        int was = before;
        before += all;
        return was;
    }
};

__global__ void scanned(const int* a, int* out)
{
    using Scan = cub::BlockScan<int, 80>;
    __shared__ typename Scan::TempStorage storage;
    int t = threadIdx.x, sum, largest, found[6];
    Running running = {100}, again = {100};
    Scan(storage).InclusiveSum(a[t], found[0], sum);
    __syncthreads();
    Scan(storage).ExclusiveSum(a[t], found[1]);
    __syncthreads();
    Scan(storage).ExclusiveScan(a[t], found[2], -7, Larger(), largest);
    __syncthreads();
    Scan(storage).InclusiveScan(a[t], found[3], Larger());
    __syncthreads();
    Scan(storage).InclusiveSum(a[t], found[4], running);
    __syncthreads();
    Scan(storage).ExclusiveSum(a[t], found[5], again);
    for (int i = 0; i < 6; i++) out[80 * i + t] = found[i];
    out[480 + t] = sum;
    out[560 + t] = largest;
}
