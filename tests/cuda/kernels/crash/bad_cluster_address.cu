// kernel: misuse   grid: 2   block: 1
// args: out int32[2] zeros
// expect: Crash lines=1 reason="cluster address"
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) misuse(int* out)
{
    __shared__ int x;
    auto cluster = cooperative_groups::this_cluster();
    x = 0;
    cluster.sync();
    cluster.map_shared_rank(out, 1)[0] = 1; // (1)
    cluster.sync();
    out[blockIdx.x] = x;
}
