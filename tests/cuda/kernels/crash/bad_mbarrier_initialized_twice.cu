// kernel: meet   grid: 1   block: 32
// args: out int32[32] poison
// expect: Crash reason='mbarrier in use'
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void arrive(unsigned long long* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
__global__ void meet(int* out)
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    for (int round = 0; round < 2; ++round) {
        if (t == 0) make(&bar, 32);
        __syncthreads();
        arrive(&bar);
        wait(&bar, 0);
        __syncthreads();
    }
    out[t] = t;
}
