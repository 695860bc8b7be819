// rejected by: uses_shuffles
// "CUDA has a function for that." It has, and it is worth knowing once one has written it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];      // blockDim.x / 32 elements: the sum of each warp
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    float sum = cg::reduce(warp, i < n ? in[i] : 0.0f, cg::plus<float>());
    if (t % 32 == 0)
        of_warp[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = cg::reduce(warp, t < blockDim.x / 32 ? of_warp[t] : 0.0f, cg::plus<float>());
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}
