%%cuda cluster_sum
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Adds up what the threads of a block give, and returns the sum to each of them. part has blockDim.x elements.
__device__ float sum_of_block(float mine, float* part)
{
    int t = threadIdx.x;
    part[t] = mine;
    __syncthreads();            // all numbers must be there
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();        // a round must be over before the next one begins
    }
    return part[0];
}

// Adds the n numbers of in to *total: each cluster of four blocks does so once.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const float* in, float* total, int n)
{
    extern __shared__ float part[];             // blockDim.x elements
    __shared__ float block_sum;                 // for the other blocks of the cluster to see
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    float sum = sum_of_block(i < n ? in[i] : 0.0f, part);

    // Hand the sums on to one thread of the cluster, which adds them up, and adds what it gets to *total.
    if (t == 0)
        atomicAdd(total, sum);
}
