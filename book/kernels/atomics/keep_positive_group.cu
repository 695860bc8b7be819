// finds: nothing
// launch: grid=2, block=64, args=[ramp(128) - 100, empty(128), zeros('int32', 1), 128]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Puts the positive elements of in side by side into kept, in no
// particular order.
__global__ void keep_positive(const float* in, float* kept, int* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] > 0) {
        auto here = cg::coalesced_threads();  // lanes that came here, too
        int first = 0;
        if (here.thread_rank() == 0) first = atomicAdd(next, here.size());
        kept[here.shfl(first, 0) + here.thread_rank()] = in[i];
    }
}
