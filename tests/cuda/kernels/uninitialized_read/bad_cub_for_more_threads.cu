// kernel: total   grid: 1   block: 64
// args: a float32[64] random, out float32[1] poison
// expect: UninitializedRead lines=1 array=storage
#include <cub/block/block_reduce.cuh>

__global__ void total(const float* a, float* out)
{
    using Reduce = cub::BlockReduce<float, 128>;
    __shared__ typename Reduce::TempStorage storage;
    float sum = Reduce(storage).Sum(a[threadIdx.x]);  // (1)
    if (threadIdx.x == 0) out[0] = sum;
}
