// kernel: count   grid: 4   block: 32
// args: out int32[1] zeros
// expect: Race lines=1,1 array=out scope=grid hazard=write-after-write
// expect: Race lines=1,1 array=out scope=grid hazard=write-after-read
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) count(int* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    for (unsigned rank = 0; rank < 2; rank++) {
        if (rank == cluster.block_rank() && threadIdx.x == 0) out[0] += 1; // (1)
        cluster.sync();
    }
}
