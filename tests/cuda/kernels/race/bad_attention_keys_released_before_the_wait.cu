// kernel: attend   grid: 1   block: 384
// args: q float16[2048] random, k float16[1024] random, v float16[512] random, out float32[1024] poison
// expect: Race between=1,2 array=keys unawaited=product
#include <cuda_fp16.h>
#define ASM(text) asm volatile(text ::: "memory")
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ unsigned long long descriptor(const void* p) { return at(p) / 16 | 8ull << 16 | 16ull << 32; }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ void load(void* to, const void* from, int bytes, unsigned long long* bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(bar)) : "memory"); // (1)
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
// scores = q k: 64 x 16 times 16 x 16; and sums += p v, where p, 64 x 16, is in registers: times 16 x 8.
__device__ void multiply(float (&d)[8], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 0, 1, 1, 0, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]) : "l"(a), "l"(b)); // (2)
}
__device__ void multiply(float (&d)[4], const unsigned (&p)[4], unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(b));
}
// Two rows of a thread: their largest scores so far, and the sums of their weights, powers of two.
struct Rows {
    float most[2] = {-1e9f, -1e9f}, total[2] = {0, 0};
    // Turns scores into weights, two of them a word; `scale`: what older weights have become.
    __device__ void weigh(const float (&s)[8], unsigned (&p)[4], float (&scale)[2])
    {
        for (int row = 0; row < 2; row++) {
            float x[4] = {rintf(s[2 * row] / 1024), rintf(s[2 * row + 1] / 1024), rintf(s[2 * row + 4] / 1024), rintf(s[2 * row + 5] / 1024)};
            float top = fmaxf(fmaxf(x[0], x[1]), fmaxf(x[2], x[3]));
            for (int way = 1; way < 4; way *= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, way));
            top = fmaxf(top, most[row]);
            scale[row] = exp2f(most[row] - top), most[row] = top;
            float sum = 0;
            for (int i = 0; i < 4; i++) x[i] = exp2f(x[i] - top), sum += x[i];
            for (int way = 1; way < 4; way *= 2) sum += __shfl_xor_sync(~0u, sum, way);
            total[row] = total[row] * scale[row] + sum;
            half2 low = __floats2half2_rn(x[0], x[1]), high = __floats2half2_rn(x[2], x[3]);
            p[row] = *(unsigned*)&low, p[row + 2] = *(unsigned*)&high;
        }
    }
};
// A warpgroup has keys and values copied; two others weigh scores while the next ones, and a product with older weights,
// are on their way.
__global__ void attend(const half* q, const half* k, const half* v, float* out)
{
    constexpr int TILES = 4, SLOTS = 2;
    __shared__ __align__(128) half queries[2][1024], keys[SLOTS][256], values[SLOTS][128];
    __shared__ unsigned long long full_q, full_k[SLOTS], full_v[SLOTS], empty_k[SLOTS], empty_v[SLOTS];
    int t = threadIdx.x % 128, group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        make(&full_q, 1);
        for (int s = 0; s < SLOTS; s++) make(&full_k[s], 1), make(&full_v[s], 1), make(&empty_k[s], 256), make(&empty_v[s], 256);
        ASM("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (group == 2) {
        if (t == 0) {
            load(queries, q, sizeof queries, &full_q);
            for (int i = 0; i < TILES; i++) {
                int s = i % SLOTS;
                wait(&empty_k[s], (i / SLOTS + 1) % 2);
                load(keys[s], k + 256 * i, sizeof keys[s], &full_k[s]);
                wait(&empty_v[s], (i / SLOTS + 1) % 2);
                load(values[s], v + 128 * i, sizeof values[s], &full_v[s]);
            }
        }
        return;
    }
    Rows rows;
    float scores[8], sums[4] = {}, scale[2];
    unsigned weights[4];
    wait(&full_q, 0);
    for (int i = 0; i <= TILES; i++) {
        int s = i % SLOTS, before = (i + 1) % SLOTS;
        if (i < TILES) {
            wait(&full_k[s], i / SLOTS % 2);
            ASM("wgmma.fence.sync.aligned;");
            multiply(scores, descriptor(queries[group]), descriptor(keys[s]));
        }
        ASM("wgmma.commit_group.sync.aligned;");
        if (i > 0) {
            wait(&full_v[before], (i - 1) / SLOTS % 2);
            ASM("wgmma.fence.sync.aligned;");
            multiply(sums, weights, descriptor(values[before]));
        }
        ASM("wgmma.commit_group.sync.aligned;");
        unsigned next[4];
        if (i < TILES) {
            arrive(&empty_k[s]);
            ASM("wgmma.wait_group.sync.aligned 1;");
            rows.weigh(scores, next, scale);
        }
        ASM("wgmma.wait_group.sync.aligned 0;");
        if (i > 0) arrive(&empty_v[before]);
        if (i == TILES) break;
        for (int j = 0; j < 4; j++) sums[j] *= scale[j / 2], weights[j] = next[j];
    }
    for (int j = 0; j < 4; j++)
        out[8 * (64 * group + t / 32 * 16 + t % 32 / 4 + j / 2 * 8) + t % 4 * 2 + j % 2] = sums[j] / rows.total[j / 2];
}
