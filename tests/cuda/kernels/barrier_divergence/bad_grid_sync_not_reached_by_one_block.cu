// kernel: two_phases   grid: 4   block: 32
// args: data int32[128] zeros
// expect: BarrierDivergence lines=1
#include <cooperative_groups.h>
__global__ void two_phases(int* data)
{
    data[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
    if (blockIdx.x == 3) return;
    cooperative_groups::this_grid().sync();       // (1)
}
