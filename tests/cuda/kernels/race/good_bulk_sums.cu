// kernel: sums   grid: 4   block: 32
// args: in float32[128] random, total float32[32] zeros, most int32[32] zeros
// expect: nothing
// check: total == in_.reshape(4, 32).sum(axis=0)
// check: most == in_.reshape(4, 32).max(axis=0)
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
// All blocks add to the same numbers.
__global__ void sums(const float* in, float* total, int* most)
{
    __shared__ alignas(16) float tile[32];
    __shared__ alignas(16) int whole[32];
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 32 + t];
    whole[t] = int(tile[t]);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" :: "l"(total), "r"(at(tile)), "n"(128) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], %2;" :: "l"(most), "r"(at(whole)), "n"(128) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
