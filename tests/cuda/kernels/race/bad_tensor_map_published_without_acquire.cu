// kernel: groups   grid: 1   block: 64
// args: map float32[32x16] tiles 8x16, in float32[512] random, made uint8[128] zeros, out float32[512] poison
// expect: Race lines=1,2 array=made unawaited=map_proxy
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
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :: "r"(at(to)), "l"(map), "r"(0), "r"(row), "r"(at(bar)) : "memory"); // (2)
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
// Each group of 16 rows has a tensor map of its own, in one place of global memory.
__global__ void groups(const __grid_constant__ TensorMap map, const float* in, unsigned char* made, float* out)
{
    __shared__ alignas(128) float tile[2][128];
    __shared__ alignas(128) TensorMap draft;
    __shared__ unsigned long long full[2];
    TensorMap* current = (TensorMap*)made;
    int t = threadIdx.x;
    if (t == 0) make(&full[0], 1), make(&full[1], 1), draft = map;
    __syncthreads();
    for (int group = 0; group < 2; ++group) {
        if (t < 32) {
            if (t == 0) {
                const float* first = in + 256 * (1 - group);
                asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" :: "r"(at(&draft)), "l"(first) : "memory");
                asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" :: "r"(at(&draft)), "r"(16) : "memory");
            }
            __syncwarp();
            asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" :: "l"(current), "r"(at(&draft)) : "memory"); // (1)
            if (t == 0) {
                load(tile[0], current, 0, sizeof tile[0], &full[0]);
                load(tile[1], current, 8, sizeof tile[1], &full[1]);
            }
        }
        wait(&full[0], group);
        wait(&full[1], group);
        out[256 * group + t] = tile[0][t], out[256 * group + 64 + t] = tile[0][64 + t];
        out[256 * group + 128 + t] = tile[1][t], out[256 * group + 192 + t] = tile[1][64 + t];
        __syncthreads();
    }
}
