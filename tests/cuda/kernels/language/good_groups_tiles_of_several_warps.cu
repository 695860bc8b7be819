// kernel: tiles   grid: 1   block: 64,4
// args: in int32[256] random, out int32[1792] poison
// expect: nothing
// check: out == (lambda t, i: np.concatenate([np.repeat(t.sum(1), 128), np.repeat(t.max(1), 128), np.repeat(t[:, 70], 128), i // 128 * 1000 + i % 128, np.repeat((t == t.max()).any(1), 128) + 2 * np.repeat((t >= t.min()).all(1), 128), np.repeat(in_.reshape(4, 64).sum(1), 64), t[:, ::-1].ravel()]))(in_.reshape(2, 128), np.arange(256))
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* out)
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ int kept[256];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    int i = block.thread_rank(), most = 0, least = 0x7fffffff;
    for (int j = 0; j < 256; j++) most = max(most, in[j]), least = min(least, in[j]);
    out[i] = cg::reduce(tile, in[i], cg::plus<int>());
    out[256 + i] = cg::reduce(tile, in[i], cg::greater<int>());
    out[512 + i] = tile.shfl(in[i], 70);
    out[768 + i] = tile.meta_group_rank() * 1000 + tile.thread_rank();
    out[1024 + i] = (tile.any(in[i] == most) != 0) + 2 * (tile.all(in[i] >= least) != 0);
    out[1280 + i] = cg::reduce(cg::tiled_partition<64>(tile), in[i], cg::plus<int>());
    kept[i] = in[i];
    tile.sync();
    out[1536 + i] = kept[i / 128 * 128 + 127 - i % 128];
}
