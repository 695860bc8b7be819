// kernel: add_up   grid: 1   block: 32
// args: in float32[32] random, out float32[64] poison, total float32[32] poison
// expect: nothing
// check: total == 3 * in_
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// The first wait is for the sources of both, the second for what both have written.
__global__ void add_up(const float* in, float* out, float* total)
{
    __shared__ alignas(16) float tile[2][32];
    int t = threadIdx.x;
    tile[0][t] = in[t], tile[1][t] = 2 * in[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        store(out, tile[0], sizeof tile[0]);
        store(out + 32, tile[1], sizeof tile[1]);
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    tile[0][t] = 0, tile[1][t] = 0;
    total[t] = out[t] + out[t + 32];
}
