// kernel: stage   grid: 2   block: 64
// args: in float32[512] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 256)[:, ::-1].reshape(2, 4, 64).sum(axis=1).ravel()
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__global__ void stage(const float* in, float* out)
{
    __shared__ alignas(16) float tile[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in + 256 * blockIdx.x, cuda::aligned_size_t<16>(sizeof tile), bar);
    bar.arrive_and_wait();
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) sum += tile[255 - (threadIdx.x + 64 * k)];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
