// kernel: hand_on   grid: 4   block: 32
// args: in float32[128] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 2, 32)[:, ::-1, ::-1].ravel()
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
// Each block has its tile copied into the shared memory of the other one.
__global__ void __cluster_dims__(2, 1, 1) hand_on(const float* in, float* out)
{
    __shared__ alignas(16) float tile[32], other[32];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (t == 0) make(&bar, 1);
    tile[t] = in[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (t == 0) {
        unsigned there, its_bar, peer = 1 - blockIdx.x % 2;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(other)), "r"(peer));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its_bar) : "r"(at(&bar)), "r"(peer));
        expect(&bar, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :: "r"(there), "r"(at(tile)), "n"(128), "r"(its_bar) : "memory");
    }
    wait(&bar, 0);
    out[i] = other[31 - t];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
