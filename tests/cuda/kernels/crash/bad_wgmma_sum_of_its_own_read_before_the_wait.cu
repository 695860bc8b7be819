// kernel: product   grid: 1   block: 128
// args: in float16[2304] random, out float32[512] poison
// expect: Crash lines=1 reason="registers in use"
#include <cuda_fp16.h>
#define ASM(text) asm volatile(text ::: "memory")
__device__ unsigned long long descriptor(const void* p) { return __cvta_generic_to_shared(p) / 16 | 8ull << 16 | 16ull << 32; }
__device__ void hold(float& x) { asm volatile("" : "+f"(x) :: "memory"); }
__global__ void product(const half* in, float* out)
{
    __shared__ __align__(1024) half a[1024], b[128];
    float d0 = 1, d1 = 1, d2 = 1, d3 = 1;
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) a[i] = in[i];
    b[t] = in[t];
    ASM("fence.proxy.async;");
    __syncthreads();
    for (int phase = 0; phase < 3; phase++) {
        hold(d0), hold(d1), hold(d2), hold(d3);
        ASM("wgmma.fence.sync.aligned;");
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "l"(descriptor(a)), "l"(descriptor(b)), "r"(1));
        ASM("wgmma.commit_group.sync.aligned;");
        ASM("wgmma.wait_group.sync.aligned 1;");
        hold(d0), hold(d1), hold(d2), hold(d3);
    }
    out[4 * t] = d0, out[4 * t + 1] = d1, out[4 * t + 2] = d2, out[4 * t + 3] = d3; // (1)
}
