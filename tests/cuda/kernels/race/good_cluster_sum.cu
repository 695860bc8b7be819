// kernel: total   grid: 8   block: 64
// args: in int32[512] random, out int32[8] poison
// expect: nothing
// check: out == np.repeat(in_.reshape(2, 256).sum(axis=1), 4)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) total(const int* in, int* out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    cluster.sync();
    int* first = cluster.map_shared_rank(&sum, 0);
    atomicAdd(first, in[blockIdx.x * blockDim.x + threadIdx.x]);
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = *first;
    cluster.sync();
}
