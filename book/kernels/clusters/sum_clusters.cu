// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: name="sum_clusters<4>", grid=4, block=256, args=[numbers('int32', 1000), zeros('int32', 1), 1000]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The same: each cluster adds to the total once. All of its warps add to
// a counter in the shared memory of its first block.
template <int BLOCKS>
__global__ void __cluster_dims__(BLOCKS, 1, 1)
    sum_clusters(const int* in, int* total, int n)
{
    __shared__ int of_cluster;  // that of the first block counts
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        of_cluster = 0;
    cluster.sync();  // barrier 1: the counter is there, and 0
    int sum = i < n ? in[i] : 0;
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, far);
    if (threadIdx.x % 32 == 0)
        atomicAdd(cluster.map_shared_rank(&of_cluster, 0), sum);
    cluster.sync();  // barrier 2: all warps have added
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        atomicAdd(total, of_cluster);
}
