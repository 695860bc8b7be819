// kernel: warps   grid: 1   block: 64
// args: a int32[64] random, out int32[512] poison
// expect: nothing
// check: out == np.concatenate((lambda w, e: (lambda s, m: [np.repeat(w.sum(1), 32), np.repeat(e.sum(1), 8), np.repeat(e[:, :5].max(1), 8), s.ravel(), np.repeat(w.sum(1), 32), m.ravel(), (s - w).ravel() + 3, np.repeat(w[:, 7], 32)])(np.cumsum(w, 1), np.maximum.accumulate(e, 1)))(a.reshape(2, 32), a.reshape(8, 8)))
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Plus {
    __device__ int operator()(int a, int b) const { return a + b; }
};

__global__ void warps(const int* a, int* out)
{
    using Reduce = cub::WarpReduce<int>;
    using ReduceEight = cub::WarpReduce<int, 8>;
    using Scan = cub::WarpScan<int>;
    using ScanEight = cub::WarpScan<int, 8>;
    __shared__ union {
        typename Reduce::TempStorage warp[2];
        typename ReduceEight::TempStorage eight[8];
        typename Scan::TempStorage scan[2];
        typename ScanEight::TempStorage scan_eight[8];
    } storage;
    int t = threadIdx.x, sum = Reduce(storage.warp[t / 32]).Sum(a[t]);
    out[t] = __shfl_sync(~0u, sum, 0);
    __syncwarp();
    out[64 + t] = __shfl_sync(~0u, ReduceEight(storage.eight[t / 8]).Sum(a[t]), 0, 8);
    __syncwarp();
    out[128 + t] = __shfl_sync(~0u, ReduceEight(storage.eight[t / 8]).Reduce(a[t], Larger(), 5), 0, 8);
    __syncwarp();
    Scan(storage.scan[t / 32]).InclusiveSum(a[t], out[192 + t], out[256 + t]);
    __syncwarp();
    ScanEight(storage.scan_eight[t / 8]).InclusiveScan(a[t], out[320 + t], Larger());
    __syncwarp();
    Scan(storage.scan[t / 32]).ExclusiveScan(a[t], out[384 + t], 3, Plus());
    __syncwarp();
    out[448 + t] = Scan(storage.scan[t / 32]).Broadcast(a[t], 7);
}
