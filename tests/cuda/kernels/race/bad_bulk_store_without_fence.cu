// kernel: copy   grid: 2   block: 64
// args: in float32[128] random, out float32[128] poison
// expect: Race lines=2,1 array=tile hazard=read-after-write unawaited=proxy
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); // (1)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__global__ void copy(const float* in, float* out)
{
    __shared__ alignas(16) float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64;
    tile[t] = in[i + t];                          // (2)
    __syncthreads();
    if (t == 0) {
        store(out + i, tile, sizeof tile);
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
