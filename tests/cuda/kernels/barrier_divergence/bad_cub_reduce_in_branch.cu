// kernel: total   grid: 1   block: 64
// args: a float32[64] random, out float32[1] poison
// expect: BarrierDivergence lines=1 scope=block exited=24 threads=64
#include <cub/block/block_reduce.cuh>

__global__ void total(const float* a, float* out)
{
    using Reduce = cub::BlockReduce<float, 64>;
    __shared__ typename Reduce::TempStorage storage;
    if (threadIdx.x < 40) {
        float sum = Reduce(storage).Sum(a[threadIdx.x]);  // (1)
        if (threadIdx.x == 0) out[0] = sum;
    }
}
