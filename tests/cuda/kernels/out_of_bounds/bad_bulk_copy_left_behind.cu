// kernel: fetch   grid: 2   block: 64
// args: in float32[128] random, out float32[64] poison
// expect: OutOfBounds lines=1 array=tile action=write is_copy=True
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
// The copy of the next tile is started, though there is none to come.
__global__ void fetch(const float* in, float* out)
{
    __shared__ alignas(128) float tile[2][64];
    __shared__ unsigned long long full[2];
    int t = threadIdx.x;
    if (t == 0) make(&full[0], 1), make(&full[1], 1);
    __syncthreads();
    if (t == 0)
        for (int s = 0; s < 2; ++s) {
            expect(&full[s], sizeof tile[s]);
            load(tile[s], in + 64 * s, sizeof tile[s], &full[s]);
        }
    wait(&full[0], 0);
    if (blockIdx.x == 0) out[t] = tile[0][63 - t];
}
