// rejected by: uses_shuffles
// A function adds up, and then a shuffle hands on the sum, which all lanes have by then.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ float sum_of_warp(float mine)
{
    float sum = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), mine, cg::plus<float>());
    return __shfl_xor_sync(0xffffffff, sum, 16);
}

__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    float sum = sum_of_warp(i < n ? in[i] : 0.0f);
    if (t % 32 == 0)
        of_warp[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = sum_of_warp(t < blockDim.x / 32 ? of_warp[t] : 0.0f);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}
