// kernel: two_phases   grid: 2   block: 32
// args: data int32[64] zeros
// expect: BarrierDivergence lines=1 scope=cluster threads=64
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) two_phases(int* data)
{
    auto cluster = cooperative_groups::this_cluster();
    data[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 5) return;
    cluster.barrier_arrive();
    cluster.barrier_wait(); // (1)
}
