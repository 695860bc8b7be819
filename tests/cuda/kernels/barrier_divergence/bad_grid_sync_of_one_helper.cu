// kernel: sides   grid: 2   block: 32
// args: out float32[64] poison
// expect: BarrierDivergence scope=grid exited=0 threads=64 lines=2,3
#include <cooperative_groups.h>
__device__ void wait_for_all()
{
    cooperative_groups::this_grid().sync();       // (1)
}
__global__ void sides(float* out)
{
    out[blockIdx.x * 32 + threadIdx.x] = 0.0f;
    if (blockIdx.x == 0) wait_for_all();          // (2)
    else wait_for_all();                          // (3)
}
