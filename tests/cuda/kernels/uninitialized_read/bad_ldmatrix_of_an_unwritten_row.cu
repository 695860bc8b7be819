// kernel: load   grid: 1   block: 32
// args: out uint32[32] poison
// expect: UninitializedRead lines=1 array=tile
#include <cuda_fp16.h>
__global__ void load(unsigned* out)
{
    __shared__ __align__(16) half tile[8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 56; i += 32) tile[i / 8][i % 8] = __float2half(1.0f);
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile[lane % 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[lane]) : "r"(at)); // (1)
}
