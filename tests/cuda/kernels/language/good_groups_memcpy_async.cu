// kernel: sums   grid: 2   block: 64
// args: in float32[512] random, out float32[2] poison
// expect: nothing
// check: out == in_.reshape(2, 256).sum(axis=1)
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void sums(const float* in, float* out)
{
    __shared__ alignas(16) float tile[2][128];
    auto block = cg::this_thread_block();
    const float* mine = in + 256 * blockIdx.x;
    cg::memcpy_async(block, tile[0], mine, sizeof(float) * 128);
    cg::memcpy_async(block, tile[1], 128, mine + 128, 128);
    float sum = 0.0f;
    cg::wait_prior<1>(block);  // the first half is here for all
    if (block.thread_rank() == 0)
        for (int i = 0; i < 128; i++) sum += tile[0][i];
    cg::wait(block);
    if (block.thread_rank() == 0) {
        for (int i = 0; i < 128; i++) sum += tile[1][i];
        out[blockIdx.x] = sum;
    }
}
