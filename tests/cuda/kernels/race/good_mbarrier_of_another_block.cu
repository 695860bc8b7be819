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
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
// Each block writes into the other one's tile, and arrives at its barrier there.
__global__ void __cluster_dims__(2, 1, 1) hand_on(const float* in, float* out)
{
    __shared__ float tile[32];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t, there, its_bar;
    if (t == 0) make(&bar, 32);
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&tile[t])), "r"(1 - blockIdx.x % 2));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its_bar) : "r"(at(&bar)), "r"(1 - blockIdx.x % 2));
    asm volatile("st.shared::cluster.f32 [%0], %1;" :: "r"(there), "f"(in[i]) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(its_bar) : "memory");
    wait(&bar, 0);
    out[i] = tile[31 - t];
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
