// kernel: hand_over   grid: 1   block: 64
// args: in float32[128] random, out float32[128] poison
// expect: nothing
// check: out == in_.reshape(4, 32)[:, ::-1]
__device__ unsigned at(const void* shared) { return __cvta_generic_to_shared(shared); }
__device__ void make(unsigned long long* bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void arrive(unsigned long long* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ bool is_over(unsigned long long* bar, int parity)
{
    int over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                 : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
    return over;
}
// One warp hands tiles over to another, without copies: a lane of each arrives, and polls, for all.
__global__ void hand_over(const float* in, float* out)
{
    __shared__ float tile[2][32];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s) make(&full[s], 1), make(&empty[s], 1);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        int s = i % 2, turn = i / 2 % 2;
        if (threadIdx.x < 32) {
            if (t == 7) while (!is_over(&empty[s], turn ^ 1)) {}
            __syncwarp();
            tile[s][t] = in[32 * i + t];
            __syncwarp();
            if (t == 0) arrive(&full[s]);
        } else {
            if (t == 31) while (!is_over(&full[s], turn)) __nanosleep(20);
            __syncwarp();
            out[32 * i + t] = tile[s][31 - t];
            __syncwarp();
            if (t == 3) arrive(&empty[s]);
        }
    }
}
