// kernel: back   grid: 1   block: 64
// args: in float32[256] random, out float32[64] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write scope=block unawaited=group
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void back(const float* in, float* out)
{
    __shared__ alignas(16) float tile[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile); // (1)
    out[threadIdx.x] = tile[255 - threadIdx.x];   // (2)
    cg::wait(block);
}
