// kernel: copy   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison, more float32[64] poison
// expect: Race lines=1,2 array=out hazard=read-after-write unawaited=bulk_group
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); // (1)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// What .read waits for is that the source is free.
__global__ void copy(const float* in, float* out, float* more)
{
    __shared__ alignas(16) float tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        store(out, tile, sizeof tile);
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
    more[t] = out[63 - t];                        // (2)
}
