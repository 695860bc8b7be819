// kernel: split   grid: 1   block: 64
// args: in int32[64] random, bylabel uint32[64] poison, bysign uint32[64] poison
// expect: nothing
// check: bylabel == np.concatenate([[(w[:i] % 4 == w[i] % 4).sum() + 100 * (w % 4 == w[i] % 4).sum() for i in range(32)] for w in in_.reshape(2, 32)])
// check: bysign == np.concatenate([[w[(w > 25) == (w[i] > 25)].sum() for i in range(32)] for w in in_.reshape(2, 32)])
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void split(const int* in, unsigned* bylabel, unsigned* bysign)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x, x = in[i];
    auto same = cg::labeled_partition(warp, x % 4);
    bylabel[i] = same.thread_rank() + 100 * same.size();
    auto side = cg::binary_partition(warp, x > 25);
    bysign[i] = cg::reduce(side, x, cg::plus<int>());
}
