// kernel: ranks   grid: 3,2   block: 8,4,2
// args: rank uint32[384] poison, place uint32[384] poison, sum uint32[6] poison
// expect: nothing
// check: rank == np.tile(np.arange(64), 6)
// check: place == np.repeat(np.arange(6), 64) + 100 * np.tile(np.tile(np.arange(8), 8), 6)
// check: sum == np.full(6, 64 * 63 // 2)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// As in NVIDIA's introduction: a function that works for any group.
__device__ unsigned total(cg::thread_group g, unsigned* scratch, unsigned value)
{
    unsigned lane = g.thread_rank();
    for (unsigned i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = value;
        g.sync();
        if (lane < i) value += scratch[lane + i];
        g.sync();
    }
    return value;
}
__global__ void ranks(unsigned* rank, unsigned* place, unsigned* sum)
{
    __shared__ unsigned scratch[64];
    cg::thread_block block = cg::this_thread_block();
    dim3 group = block.group_index(), shape = block.dim_threads();
    unsigned of_block = group.y * gridDim.x + group.x;
    unsigned at = of_block * block.size() + block.thread_rank();
    rank[at] = block.thread_rank();
    place[at] = of_block + 100 * block.thread_index().x;
    unsigned all = total(block, scratch, block.thread_rank());
    cg::sync(block);
    if (block.thread_rank() == 0) sum[of_block] = shape.y == 4 && block.num_threads() == 64 ? all : 0;
}
