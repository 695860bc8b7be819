// kernel: where   grid: 3,2   block: 16,2
// args: out uint64[192] poison, sizes uint64[3] poison
// expect: nothing
// check: out == np.arange(192)
// check: sizes == [192, 6, 1]
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void where(unsigned long long* out, unsigned long long* sizes)
{
    cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] = grid.block_rank() * blockDim.x * blockDim.y + cg::this_thread_block().thread_rank();
    if (grid.thread_rank() == 0) {
        sizes[0] = grid.size();
        sizes[1] = grid.num_blocks();
        sizes[2] = grid.dim_blocks().y == 2 && cg::group_size(grid) == 192;
    }
}
