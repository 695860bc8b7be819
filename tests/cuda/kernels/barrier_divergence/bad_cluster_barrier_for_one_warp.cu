// kernel: two_phases   grid: 2   block: 64
// args: data int32[128] zeros
// expect: BarrierDivergence lines=1,2 scope=cluster threads=128
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) two_phases(int* data)
{
    data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32) cooperative_groups::this_cluster().sync(); // (1)
    __syncthreads(); // (2)
}
