// kernel: share   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison, copied float32[128] poison
// expect: nothing
// check: out == np.repeat(in_.reshape(2, 2, 32).sum(axis=1), 2, axis=0)[:, ::-1]
// check: copied == in_
#include <cuda/barrier>
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
__global__ void __cluster_dims__(2, 1, 1) share(const float* in, float* out, float* copied)
{
    __shared__ alignas(16) float tile[2][32], mine[32];
    __shared__ uint64_t full;
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int t = threadIdx.x, rank = blockIdx.x % 2, i = 32 * blockIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        init(&all, 32);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
        for (int b = 0; b < 2; ++b)
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[b], in + i + 32 * (b - rank), sizeof tile[b], &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    out[i + t] = tile[0][31 - t] + tile[1][31 - t];
    mine[t] = tile[rank][t];
    ptx::fence_proxy_async(ptx::space_shared);
    uint64_t state = ptx::mbarrier_arrive(cuda::device::barrier_native_handle(all));
    while (!ptx::mbarrier_try_wait(cuda::device::barrier_native_handle(all), state)) {}
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, copied + i, mine, sizeof mine);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
}
