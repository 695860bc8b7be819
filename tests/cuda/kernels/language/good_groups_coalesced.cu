// kernel: count   grid: 2   block: 64
// args: in int32[128] random, total uint32[1] zeros, ranks uint32[128] zeros
// expect: nothing
// check: total == [(in_ > 20).sum()]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Warp-aggregated: one atomic for all lanes of the warp that are here.
__device__ unsigned add_one(unsigned* total)
{
    cg::coalesced_group here = cg::coalesced_threads();
    unsigned first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(total, here.size());
    return here.shfl(first, 0) + here.thread_rank();
}
__global__ void count(const int* in, unsigned* total, unsigned* ranks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 20) ranks[i] = add_one(total);
}
