// kernel: total   grid: 2   block: 32
// args: in int32[64] random, out int32[2] poison
// expect: Race lines=1,1 array=sum scope=cluster
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) total(const int* in, int* out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    cluster.sync();
    int* first = cluster.map_shared_rank(&sum, 0);
    atomicAdd_block(first, in[blockIdx.x * blockDim.x + threadIdx.x]); // (1)
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = *first;
    cluster.sync();
}
