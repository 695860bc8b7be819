// kernel: parts   grid: 1   block: 96
// args: out uint32[96] poison, twice uint32[96] poison, loose uint32[96] poison
// expect: nothing
// check: out == np.tile(np.arange(4), 24) + 10 * np.tile(np.repeat(np.arange(4), 4), 6) + 100 * 4
// check: twice == np.tile(np.repeat(np.arange(16) // 2 * 2, 1), 6)
// check: loose == np.repeat(np.arange(0, 96, 16), 16)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class Group> __device__ unsigned first_of(const Group& g, unsigned value) { return g.shfl(value, 0); }
__global__ void parts(unsigned* out, unsigned* twice, unsigned* loose)
{
    auto block = cg::this_thread_block();
    auto half = cg::tiled_partition<16>(block);
    auto quarter = cg::tiled_partition<4>(half);
    unsigned i = block.thread_rank();
    out[i] = quarter.thread_rank() + 10 * quarter.meta_group_rank() + 100 * quarter.meta_group_size();
    auto pair = cg::tiled_partition<2>(quarter);
    twice[i] = first_of(pair, half.thread_rank());
    cg::thread_group part = cg::tiled_partition(block, 16);  // a size known only when it runs
    part.sync();
    loose[i] = i - part.thread_rank() + (part.size() - 16);
}
