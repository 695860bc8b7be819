// kernel: meet   grid: 2   block: 64
// args: out int32[128] poison
// expect: nothing
// check: out == np.tile(np.arange(64)[::-1] + 66, 2)
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
// By the states that arrivals return, by tests that do not wait, by generic addresses, and by several arrivals at once.
__global__ void meet(int* out)
{
    __shared__ unsigned long long bar;
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t == 0) make(&bar, 66);
    __syncthreads();
    tile[t] = t;
    unsigned long long state;
    unsigned left = 0;
    if (t < 32)
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at(&bar)) : "memory");
    else if (t == 63)
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(state) : "r"(at(&bar)) : "memory");
    else
        asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&bar) : "memory");
    int over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(at(&bar)), "l"(state) : "memory");
    int got = tile[63 - t];
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%1]; mbarrier.pending_count.b64 %0, s; }"
                 : "=r"(left) : "r"(at(&bar)) : "memory");
    out[blockIdx.x * 64 + t] = got + (left > 2 && left <= 66 ? 66 : 0);
    __syncthreads();
    if (t == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at(&bar)) : "memory");
}
