// kernel: load   grid: 1   block: 32
// args: out uint32[128] poison
// expect: OutOfBounds lines=1 array=tile
#include <cuda_fp16.h>
__global__ void load(unsigned* out)
{
    __shared__ __align__(16) half tile[16 * 16];
    int lane = threadIdx.x;
    unsigned x[4];
    for (int i = lane; i < 256; i += 32) tile[i] = __float2half(1.0f);
    __syncwarp();
    const half* from = tile;
    // (rows of 16 halves, not of 24)
    unsigned at = (unsigned)__cvta_generic_to_shared(from + lane % 16 * 24 + lane / 16 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at)); // (1)
    for (int i = 0; i < 4; i++) out[lane + 32 * i] = x[i];
}
