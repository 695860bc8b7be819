// kernel: reduced   grid: 1   block: 8,10
// args: a int32[240] random, out int32[6] poison
// expect: nothing
// check: out == [a[:80].sum(), a.sum(), a[:40].sum(), a[:80].max(), a[:65].max(), a.max()]
#include <cub/cub.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void reduced(const int* a, int* out)
{
    using Reduce = cub::BlockReduce<int, 8, cub::BLOCK_REDUCE_RAKING, 10>;
    __shared__ typename Reduce::TempStorage storage[6];
    int t = threadIdx.y * 8 + threadIdx.x;
    int items[3] = {a[3 * t], a[3 * t + 1], a[3 * t + 2]};
    int found[6] = {
        Reduce(storage[0]).Sum(a[t]), Reduce(storage[1]).Sum(items), Reduce(storage[2]).Sum(a[t], 40),
        Reduce(storage[3]).Reduce(a[t], Larger()), Reduce(storage[4]).Reduce(a[t], Larger(), 65),
        Reduce(storage[5]).Reduce(items, Larger())};
    if (t == 0)
        for (int i = 0; i < 6; i++) out[i] = found[i];
}
