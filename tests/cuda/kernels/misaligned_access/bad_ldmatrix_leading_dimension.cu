// kernel: load   grid: 1   block: 32
// args: out uint32[32] poison
// expect: MisalignedAccess lines=1 width=16 address_mod=8 array=tile action=read
#include <cuda_fp16.h>
__global__ void load(unsigned* out)
{
    __shared__ __align__(16) half tile[8][12]; // (a row begins 24 bytes behind the one before)
    int lane = threadIdx.x;
    for (int i = lane; i < 96; i += 32) tile[i / 12][i % 12] = __float2half(1.0f);
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile[lane % 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[lane]) : "r"(at)); // (1)
}
