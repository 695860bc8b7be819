// kernel: tiles   grid: 1   block: 64
// args: in int32[64] random, out int32[512] poison
// expect: nothing
// check: out == np.concatenate([np.repeat(in_.reshape(8, 8).sum(axis=1), 8), np.repeat(in_[3::8], 8), in_.reshape(8, 8)[:, [0, 1, 0, 1, 2, 3, 4, 5]].ravel(), in_.reshape(8, 8)[:, [1, 2, 3, 4, 5, 6, 7, 7]].ravel(), in_.reshape(8, 8)[:, ::-1].ravel(), np.repeat(((in_.reshape(8, 8) > 20) << np.arange(8)).sum(axis=1), 8), np.tile(np.arange(8), 8) + 8 * np.repeat(np.arange(8), 8) + 800, ((in_.reshape(8, 8)[:, :, None] % 3 == in_.reshape(8, 8)[:, None, :] % 3) << np.arange(8)).sum(axis=2).ravel()])
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tiles(const int* in, int* out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int i = block.thread_rank(), x = in[i], sum = x;
    for (int half = tile.size() / 2; half > 0; half /= 2) sum += tile.shfl_xor(sum, half);
    out[i] = sum;
    out[64 + i] = tile.shfl(x, 3);
    out[128 + i] = tile.shfl_up(x, 2);
    out[192 + i] = tile.shfl_down(x, 1);
    out[256 + i] = tile.shfl(x, 7 - tile.thread_rank());
    out[320 + i] = tile.ballot(x > 20);
    out[384 + i] = tile.thread_rank() + 8 * tile.meta_group_rank() + 100 * tile.meta_group_size();
    out[448 + i] = tile.match_any(x % 3);
    tile.sync();
    if (tile.any(x < 0) || !tile.all(x >= 0)) out[i] = -1;
}
