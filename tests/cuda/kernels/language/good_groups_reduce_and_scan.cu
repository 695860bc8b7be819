// kernel: fold   grid: 1   block: 64
// args: in int32[64] random, out int32[448] poison
// expect: nothing
// check: out == np.concatenate([np.repeat(in_.reshape(4, 16).sum(axis=1), 16), np.repeat(in_.reshape(4, 16).min(axis=1), 16), np.repeat(in_.reshape(4, 16).max(axis=1), 16), np.repeat(np.bitwise_xor.reduce(in_.reshape(4, 16), axis=1), 16), np.cumsum(in_.reshape(4, 16), axis=1).ravel(), (np.cumsum(in_.reshape(4, 16), axis=1) - in_.reshape(4, 16)).ravel(), np.maximum.accumulate(in_.reshape(4, 16), axis=1).ravel()])
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void fold(const int* in, int* out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = threadIdx.x, x = in[i];
    out[i] = cg::reduce(tile, x, cg::plus<int>());
    out[64 + i] = cg::reduce(tile, x, cg::less<int>());
    out[128 + i] = cg::reduce(tile, x, cg::greater<int>());
    out[192 + i] = cg::reduce(tile, x, cg::bit_xor<int>());
    out[256 + i] = cg::inclusive_scan(tile, x);
    out[320 + i] = cg::exclusive_scan(tile, x, cg::plus<int>());
    out[384 + i] = cg::inclusive_scan(tile, x, [](int a, int b) { return a > b ? a : b; });
}
