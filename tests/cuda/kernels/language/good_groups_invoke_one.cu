// kernel: k   grid: 1   block: 64
// args: counts int32[4] zeros, out int32[128] poison
// expect: nothing
// check: counts == [2, 10, 1, 8]
// check: out == np.concatenate([np.arange(64) // 32 * 5 + 100, 63 - np.arange(64)])
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int* counts, int* out)
{
    __shared__ int held[64];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::invoke_one(warp, [&] { atomicAdd(&counts[0], 1); });
    out[block.thread_rank()] = cg::invoke_one_broadcast(
        warp, [&](int base) { return atomicAdd(&counts[1], 5) * 0 + base + int(warp.meta_group_rank()) * 5; }, 100);
    cg::invoke_one(block, [&] { counts[2] = 1; });
    if (block.thread_rank() % 16 == 3) {
        cg::coalesced_group some = cg::coalesced_threads();
        atomicAdd(&counts[3], cg::invoke_one_broadcast(some, [] { return 2; }));
    }
    int t = int(block.thread_rank());
    held[t] = t;
    auto token = block.barrier_arrive();
    t = 63 - t;
    block.barrier_wait(static_cast<cg::thread_block::arrival_token&&>(token));
    out[64 + 63 - t] = held[t];
}
