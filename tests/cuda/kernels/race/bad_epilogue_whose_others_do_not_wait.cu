// kernel: twice   grid: 2   block: 128
// args: in float32[768] random, out float32[768] poison
// expect: Race between=1,2 array=tile
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void store(void* to, const void* from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory"); // (1)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void meet(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(number), "r"(threads) : "memory");
}
// Each of two groups of warps hands its tiles on to one of its threads, which stores them.
__global__ void twice(const float* in, float* out)
{
    __shared__ alignas(16) float tile[2][64];
    int t = threadIdx.x % 64, group = threadIdx.x / 64;
    for (int round = 0; round < 3; ++round) {
        int at = 64 * (3 * (2 * blockIdx.x + group) + round);
        if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        tile[group][t] = 2 * in[at + t]; // (2)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        meet(1 + group, 64);
        if (t == 0) store(out + at, tile[group], sizeof tile[group]);
    }
    if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
