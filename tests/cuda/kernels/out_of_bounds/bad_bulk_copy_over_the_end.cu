// kernel: fetch   grid: 1   block: 32
// args: in float32[60] random, out float32[32] poison
// expect: OutOfBounds lines=1 array=in action=read
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
__device__ void load(void* to, const void* from, int bytes, unsigned long long* bar)
{
    unsigned there = at(to), its_bar = at(bar);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(there), "l"(from), "r"(bytes), "r"(its_bar) : "memory"); // (1)
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
__global__ void fetch(const float* in, float* out)
{
    __shared__ alignas(128) float tile[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) make(&bar, 1);
    __syncthreads();
    if (t == 0) {
        expect(&bar, sizeof tile);
        load(tile, in, sizeof tile, &bar);
    }
    wait(&bar, 0);
    out[t] = tile[t];
}
