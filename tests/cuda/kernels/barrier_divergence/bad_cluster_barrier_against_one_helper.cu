// kernel: three_ways   grid: 2   block: 96
// args: data int32[192] zeros
// expect: BarrierDivergence lines=1,2,3 scope=cluster threads=192
// The helper's barrier is another one for each call, beside that of the cluster.
#include <cooperative_groups.h>
__device__ void wait_here()
{
    __syncthreads();
}
__global__ void __cluster_dims__(2) three_ways(int* data)
{
    data[blockIdx.x * 96 + threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32) cooperative_groups::this_cluster().sync(); // (1)
    else if (threadIdx.x < 64) wait_here(); // (2)
    else wait_here(); // (3)
}
