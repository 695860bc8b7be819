// kernel: more   grid: 1   block: 32
// args: x float16[32] random
// expect: CompileError lines=1 message=ambiguous
#include <cuda_fp16.h>
__global__ void more(half* x)
{
    x[threadIdx.x] = x[threadIdx.x] + 1.0f;       // (1)
}
