// kernel: load   grid: 1   block: 32
// args: in float16[64] random, out uint32[32] poison
// expect: Crash lines=1 reason="address not shared"
#include <cuda_fp16.h>
__global__ void load(const half* in, unsigned* out)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(in + threadIdx.x % 8 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[threadIdx.x]) : "r"(at)); // (1)
}
