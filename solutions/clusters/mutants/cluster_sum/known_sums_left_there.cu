// rejected by: uses_distributed_shared_memory
// perhaps also: shares_the_work
// One block adds up the numbers of all four. What the others leave for it is known, and taken away again.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ float sum_of_block(float mine, float* part)
{
    int t = threadIdx.x;
    part[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    return part[0];
}
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const float* in, float* total, int n)
{
    extern __shared__ float part[];
    __shared__ float block_sum;
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    int first = blockIdx.x / 4 * 4 * blockDim.x, i = first + t;
    float mine = 0;
    if (cluster.block_rank() == 0)
        for (int r = 0; r < 4; ++r, i += blockDim.x) mine += i < n ? in[i] : 0.0f;
    float sum = sum_of_block(mine, part);
    if (t == 0) block_sum = 3.0f * cluster.block_rank() + 1;
    cluster.sync();
    if (cluster.block_rank() == 0 && t == 0) {
        float all = sum;
        for (int rank = 0; rank < 4; ++rank)
            all += cluster.map_shared_rank(&block_sum, rank)[0] - (3.0f * rank + 1);
        atomicAdd(total, all);
    }
    cluster.sync();
}
