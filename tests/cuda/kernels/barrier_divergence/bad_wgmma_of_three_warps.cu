// kernel: product   grid: 1   block: 128
// args: in float16[2304] random, out float32[512] poison
// expect: BarrierDivergence lines=1,2
#include <cuda_fp16.h>
#define ASM(text) asm volatile(text ::: "memory")
__device__ unsigned long long descriptor(const void* p) { return __cvta_generic_to_shared(p) / 16 | 8ull << 16 | 16ull << 32; }
__device__ void multiply(float (&d)[4], unsigned long long a, unsigned long long b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(add));
}
__global__ void product(const half* in, float* out)
{
    __shared__ __align__(1024) half a[1024], b[128];
    float d[4];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) a[i] = in[i];
    b[t] = in[t];
    ASM("fence.proxy.async;");
    __syncthreads();
    if (t < 96) {
    ASM("wgmma.fence.sync.aligned;"); // (1)
    multiply(d, descriptor(a), descriptor(b), 0);
    ASM("wgmma.commit_group.sync.aligned;");
    ASM("wgmma.wait_group.sync.aligned 0;");
    }
    __syncthreads(); // (2)
    for (int i = 0; i < 4; i++) out[4 * t + i] = d[i];
}
