// kernel: load   grid: 1   block: 32
// args: in float16[64] random, out uint32[32] poison
// expect: BarrierDivergence between=1 threads=32 scope=warp
#include <cuda_fp16.h>
__global__ void load(const half* in, unsigned* out)
{
    __shared__ __align__(16) half tile[8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 64; i += 32) tile[i / 8][i % 8] = in[i];
    __syncwarp();
    unsigned at = (unsigned)__cvta_generic_to_shared(tile[lane % 8]);
    if (lane >= 16) return;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[lane]) : "r"(at)); // (1)
}
