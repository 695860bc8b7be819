// rejected by: shares_the_work
// "All numbers are in shared memory: one thread can add them up."
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Adds the n numbers of in to *total: each cluster of four blocks does so once.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const float* in, float* total, int n)
{
    extern __shared__ float part[];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    part[threadIdx.x] = i < n ? in[i] : 0.0f;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        float all = 0.0f;
        for (int rank = 0; rank < 4; ++rank)
            for (int t = 0; t < blockDim.x; ++t)
                all += cluster.map_shared_rank(part, rank)[t];
        atomicAdd(total, all);
    }
    cluster.sync();
}
