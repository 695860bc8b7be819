// kernel: share   grid: 8   block: 32
// args: in float32[256] random, out float32[256] poison
// expect: nothing
// check: out == np.repeat(in_.reshape(2, 4, 32).sum(axis=1), 4, axis=0)[:, ::-1]
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(unsigned long long* bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
// Each block has its quarter copied to all four of its cluster.
__global__ void __cluster_dims__(4, 1, 1) share(const float* in, float* out)
{
    __shared__ alignas(128) float tile[4][32];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) make(&bar, 1);
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (t == 0) {
        expect(&bar, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                     :: "r"(at(tile[rank])), "l"(in + 32 * blockIdx.x), "n"(128), "r"(at(&bar)), "h"((unsigned short)15) : "memory");
    }
    wait(&bar, 0);
    out[blockIdx.x * 32 + t] = tile[0][31 - t] + tile[1][31 - t] + tile[2][31 - t] + tile[3][31 - t];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
