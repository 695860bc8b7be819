// kernel: twice   grid: 1   block: 64
// args: a float32[64] random, out float32[2] poison
// expect: Race lines=1,2 array=storage hazard=write-after-read
#include <cub/block/block_reduce.cuh>

__global__ void twice(const float* a, float* out)
{
    using Reduce = cub::BlockReduce<float, 64>;
    __shared__ typename Reduce::TempStorage storage;
    float sum = Reduce(storage).Sum(a[threadIdx.x]);             // (1)
    float squares = Reduce(storage).Sum(a[threadIdx.x] * a[threadIdx.x]);  // (2)
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = squares;
    }
}
