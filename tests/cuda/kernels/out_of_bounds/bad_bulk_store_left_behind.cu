// kernel: copy   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: OutOfBounds lines=1 array=tile action=read is_copy=True
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); // (1)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__global__ void copy(const float* in, float* out)
{
    __shared__ alignas(16) float tile[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) store(out, tile, sizeof tile);
}
