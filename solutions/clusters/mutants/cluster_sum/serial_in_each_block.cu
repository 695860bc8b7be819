// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Adds the n numbers of in to *total: each cluster of four blocks does so once.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const float* in, float* total, int n)
{
    __shared__ float block_sum;
    cg::cluster_group cluster = cg::this_cluster();

    if (threadIdx.x == 0) {
        block_sum = 0.0f;
        for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x; ++i)
            if (i < n)
                block_sum += in[i];
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        float all = 0.0f;
        for (int rank = 0; rank < 4; ++rank)
            all += cluster.map_shared_rank(&block_sum, rank)[0];
        atomicAdd(total, all);
    }
    cluster.sync();
}
