// kernel: product   grid: 1   block: 128
// args: in float16[2304] random, out float32[512] poison
// expect: Crash lines=1 reason="registers in use"
#include <cuda_fp16.h>
#define ASM(text) asm volatile(text ::: "memory")
__device__ unsigned long long descriptor(const void* p) { return __cvta_generic_to_shared(p) / 16 | 8ull << 16 | 16ull << 32; }
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned long long b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1, 0; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
__global__ void product(const half* in, float* out)
{
    __shared__ __align__(1024) half b[128];
    float d[4];
    unsigned x[2][4];
    int t = threadIdx.x;
    b[t] = in[t];
    ASM("fence.proxy.async;");
    __syncthreads();
    for (int phase = 0; phase < 4; phase++) {
        for (int i = 0; i < 4; i++) x[0][i] = ((const unsigned*)in)[128 * phase + 4 * (t % 32) + i]; // (1)
        ASM("wgmma.fence.sync.aligned;");
        multiply(d, x[0], descriptor(b), phase > 0);
        ASM("wgmma.commit_group.sync.aligned;");
        ASM("wgmma.wait_group.sync.aligned 1;");
    }
    ASM("wgmma.wait_group.sync.aligned 0;");
    for (int i = 0; i < 4; i++) out[4 * t + i] = d[i];
}
