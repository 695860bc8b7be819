// kernel: sum   grid: 2   block: 96
// args: in float32[512] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(2, 4, 64).sum(axis=1)[:, ::-1]
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
__device__ void expect(unsigned long long* bar, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void load(void* to, const void* from, int bytes, unsigned long long* bar)
{
    unsigned there = at(to), its_bar = at(bar);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(there), "l"(from), "r"(bytes), "r"(its_bar) : "memory");
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
// One warp has tiles copied, two others add them up.
__global__ void sum(const float* in, float* out)
{
    constexpr int SLOTS = 2, TILES = 4;
    __shared__ alignas(128) float ring[SLOTS][64];
    __shared__ unsigned long long full[SLOTS], empty[SLOTS];
    int t = threadIdx.x;
    const float* mine = in + blockIdx.x * 64 * TILES;
    if (t == 0)
        for (int s = 0; s < SLOTS; ++s) make(&full[s], 1), make(&empty[s], 64);
    __syncthreads();
    if (t == 64) {
        for (int i = 0; i < TILES; ++i) {
            int s = i % SLOTS, turn = i / SLOTS;
            wait(&empty[s], (turn + 1) % 2);
            expect(&full[s], sizeof ring[s]);
            load(ring[s], mine + 64 * i, sizeof ring[s], &full[s]);
        }
    } else if (t < 64) {
        float sum = 0.0f;
        for (int i = 0; i < TILES; ++i) {
            int s = i % SLOTS, turn = i / SLOTS;
            wait(&full[s], turn % 2);
            sum += ring[s][63 - t];
            arrive(&empty[s]);
        }
        out[blockIdx.x * 64 + t] = sum;
    }
}
