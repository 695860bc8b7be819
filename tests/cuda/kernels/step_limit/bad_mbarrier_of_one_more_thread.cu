// kernel: fetch   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: StepLimit reason=spin array=bar expected=65 missing=1
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
__device__ void wait(unsigned long long* bar, int parity)
{
    asm volatile("{ .reg .pred open; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 open, [%0], %1; @!open bra AGAIN; }"
                 :: "r"(at(bar)), "r"(parity) : "memory");
}
__global__ void fetch(const float* in, float* out)
{
    __shared__ float tile[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) make(&bar, blockDim.x + 1);
    __syncthreads();
    tile[t] = in[t];
    arrive(&bar);
    wait(&bar, 0);
    out[t] = tile[63 - t];
}
