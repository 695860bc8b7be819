// kernel: reverse   grid: 1   block: 96
// args: in float32[256] random, out float32[256] poison
// expect: Race between=1,2 array=tile
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
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(bar)) : "memory"); // (1)
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void meet(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(number), "r"(threads) : "memory");
}
// One thread of two warps waits for the copies, and a barrier of these lets the other threads know.
__global__ void reverse(const float* in, float* out)
{
    __shared__ alignas(128) float tile[64];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) make(&full, 1), make(&empty, 1);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        if (t == 64) {
            wait(&empty, (i + 1) % 2);
            expect(&full, sizeof tile);
            load(tile, in + 64 * i, sizeof tile, &full);
        } else if (t < 64) {
            if (t == 0) wait(&full, i % 2);
            meet(1, 64);
            out[64 * i + t] = tile[63 - t]; // (2)
            if (t == 32) arrive(&empty);
        }
    }
}
