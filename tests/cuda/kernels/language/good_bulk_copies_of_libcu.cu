// kernel: fetch   grid: 2   block: 32
// args: in float32[128] random, out float32[64] poison, copied float32[64] poison
// expect: nothing
// check: out == in_.reshape(2, 2, 32).sum(axis=1)[:, ::-1]
// check: copied == in_.reshape(2, 2, 32).sum(axis=1)
#include <cuda/barrier>
namespace cde = cuda::device::experimental;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void fetch(const float* in, float* out, float* copied)
{
    __shared__ alignas(16) float tile[32], more[32], sums[32];
    __shared__ Barrier bar;
    int t = threadIdx.x;
    const float* mine = in + 64 * blockIdx.x;
    if (t == 0) {
        init(&bar, 32);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    Barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(tile, mine, sizeof tile, bar);
        cuda::device::memcpy_async_tx(more, mine + 32, cuda::aligned_size_t<16>(sizeof more), bar);
        cuda::device::barrier_expect_tx(bar, sizeof more);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(static_cast<Barrier::arrival_token&&>(token));
    out[blockIdx.x * 32 + t] = tile[31 - t] + more[31 - t];
    sums[t] = tile[t] + more[t];
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_shared_to_global(copied + 32 * blockIdx.x, sums, sizeof sums);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}
