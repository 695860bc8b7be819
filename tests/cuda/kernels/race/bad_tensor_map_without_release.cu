// kernel: fetch   grid: 1   block: 64
// args: map float32[16x16] tiles 8x16, in float32[256] random, made uint8[128] zeros, out float32[128] poison
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
__device__ void release() { asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory"); }
__device__ void acquire(const TensorMap* map)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(map) : "memory");
}
// One thread makes a tensor map, another one uses it.
__global__ void fetch(const __grid_constant__ TensorMap map, const float* in, unsigned char* made, float* out)
{
    __shared__ alignas(128) float tile[128];
    __shared__ unsigned long long full;
    TensorMap* mine = (TensorMap*)made;
    int t = threadIdx.x;
    if (t == 0) {
        make(&full, 1);
        *mine = map;
        asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" :: "l"(mine), "l"(in) : "memory"); // (1)
    }
    __syncthreads();
    if (t == 63) {
        acquire(mine);
        load(tile, mine, 8, sizeof tile, &full);
    }
    wait(&full, 0);
    out[t] = tile[t], out[64 + t] = tile[64 + t];
}
