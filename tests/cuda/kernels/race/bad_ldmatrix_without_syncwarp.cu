// kernel: load   grid: 1   block: 32
// args: in float16[64] random, out uint32[32] poison
// expect: Race lines=1,2 array=tile hazard=read-after-write
#include <cuda_fp16.h>
__global__ void load(const half* in, unsigned* out)
{
    __shared__ __align__(16) half tile[8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 64; i += 32) tile[i / 8][i % 8] = in[i]; // (1)
    unsigned at = (unsigned)__cvta_generic_to_shared(tile[lane % 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(out[lane]) : "r"(at)); // (2)
}
