// kernel: groups   grid: 1   block: 64
// args: map float32[32x16] tiles 8x16, in float32[512] random, made uint8[256] zeros, out float32[512] poison
// expect: nothing
// check: out == in_.reshape(4, 128)[::-1]
struct alignas(64) TensorMap { unsigned long long words[16]; };
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void load(void* to, const TensorMap* map, int row, int bytes, unsigned long long* bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :: "r"(at(to)), "l"(map), "r"(0), "r"(row), "r"(at(bar)) : "memory");
}
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void acquire(const TensorMap* map)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(map) : "memory");
}
// Tiles of two groups of rows are copied ahead, and each group has its tensor map in one of two places.
__global__ void groups(const __grid_constant__ TensorMap map, const float* in, unsigned char* made, float* out)
{
    constexpr int GROUPS = 4, SLOTS = 4, PLACES = 2;
    __shared__ alignas(128) float tile[SLOTS][128];
    __shared__ alignas(128) TensorMap draft;
    __shared__ unsigned long long full[SLOTS], empty[SLOTS];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < SLOTS; ++s) make(&full[s], 1), make(&empty[s], 32);
        draft = map;
    }
    __syncthreads();
    if (t < 32) {
        for (int group = 0; group < GROUPS; ++group) {
            TensorMap* current = (TensorMap*)made + group % PLACES;
            if (t == 0) {
                if (group >= PLACES) wait(&full[(group - PLACES) % SLOTS], (group - PLACES) / SLOTS % 2);
                const float* first = in + 128 * (GROUPS - 1 - group);
                asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" :: "r"(at(&draft)), "l"(first) : "memory");
            }
            __syncwarp();
            asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" :: "l"(current), "r"(at(&draft)) : "memory");
            if (t == 0) {
                int s = group % SLOTS;
                acquire(current);
                wait(&empty[s], (group / SLOTS + 1) % 2);
                load(tile[s], current, 0, sizeof tile[s], &full[s]);
            }
        }
    } else {
        for (int group = 0; group < GROUPS; ++group) {
            int s = group % SLOTS;
            wait(&full[s], group / SLOTS % 2);
            for (int i = t - 32; i < 128; i += 32) out[128 * group + i] = tile[s][i];
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(&empty[s])) : "memory");
        }
    }
}
