// kernel: sum   grid: 4   block: 96
// args: in float32[512] random, out float32[256] poison
// expect: Race between=1,2 array=ring
// expect: Race lines=1,1 array=ring unawaited=mbarrier
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
__device__ void load_in_both(void* to, const void* from, int bytes, unsigned long long* bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(bar)), "h"((unsigned short)3) : "memory"); // (1)
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
// A pair of blocks shares each tile: either has a half copied to both, once both have left the slot.
__global__ void __cluster_dims__(2, 1, 1) sum(const float* in, float* out)
{
    constexpr int SLOTS = 2, TILES = 4;
    __shared__ alignas(128) float ring[SLOTS][64];
    __shared__ unsigned long long full[SLOTS], empty[SLOTS];
    unsigned t = threadIdx.x, rank = blockIdx.x % 2;
    if (t == 0)
        for (int s = 0; s < SLOTS; ++s) make(&full[s], 1), make(&empty[s], 64);
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (t == 64) {
        for (int i = 0; i < TILES; ++i) {
            int s = i % SLOTS;
            wait(&empty[s], (i / SLOTS + 1) % 2);
            expect(&full[s], sizeof ring[s]);
            load_in_both(&ring[s][32 * rank], in + blockIdx.x / 2 * 256 + 64 * i + 32 * rank, 128, &full[s]);
        }
    } else if (t < 64) {
        float sum = 0.0f;
        for (int i = 0; i < TILES; ++i) {
            int s = i % SLOTS;
            wait(&full[s], i / SLOTS % 2);
            sum += (rank + 1) * ring[s][63 - t]; // (2)
            arrive(&empty[s]);
        }
        out[blockIdx.x * 64 + t] = sum;
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
