// kernel: shift   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: nothing
// check: out == in_[::-1]
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
// cp.async arrives by itself.
__global__ void shift(const float* in, float* out)
{
    __shared__ float tile[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) make(&bar, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 4;" :: "r"(at(&tile[t])), "l"(in + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(at(&bar)) : "memory");
    wait(&bar, 0);
    out[t] = tile[63 - t];
}
