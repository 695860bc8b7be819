// kernel: pass   grid: 4   block: 1
// args: places uint64[4] zeros, turn int32[1] zeros, out int32[1] zeros
// expect: OutOfBounds lines=1 array=value owner=1,0,0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) pass(unsigned long long* places, int* turn, int* out)
{
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    value = 1;
    cluster.sync();
    if (blockIdx.x == 0) {
        places[0] = (unsigned long long)cluster.map_shared_rank(&value, 1);
        __threadfence();
        atomicExch(turn, 1);
    }
    if (blockIdx.x == 2) {
        while (atomicAdd(turn, 0) == 0) {}
        __threadfence();
        out[0] = *(int*)places[0]; // (1)
    }
    while (atomicAdd(turn, 0) == 0) {}
    cluster.sync();
}
