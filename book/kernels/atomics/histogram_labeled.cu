// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 100) % 16, zeros('int32', 16), 100]

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// bins[b] = how often b occurs in x. One lane adds for all lanes of its
// warp that have the same number.
__global__ void histogram_labeled(const int* x, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? x[i] : -1;  // no element, but the lane takes part

    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, mine);
    if (mine >= 0 && same.thread_rank() == 0) atomicAdd(&bins[mine], same.size());
}
