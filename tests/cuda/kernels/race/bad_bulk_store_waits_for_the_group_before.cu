// kernel: twice   grid: 1   block: 64
// args: in float32[64] random, out float32[192] poison
// expect: Race lines=1,2 array=tile hazard=write-after-read unawaited=bulk_group
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); // (1)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Two tiles take turns, but the wait leaves the two newest groups out: one too many.
__global__ void twice(const float* in, float* out)
{
    __shared__ alignas(16) float tile[2][64];
    int t = threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        if (t == 0) asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
        __syncthreads();
        tile[round % 2][t] = in[t] + round;       // (2)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) store(out + 64 * round, tile[round % 2], sizeof tile[0]);
    }
    if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
