// kernel: meet   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message=emulator
#include <cuda/barrier>
struct Done { __device__ void operator()() {} };
__global__ void meet(float* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, Done> bar; // (1)
    bar.arrive_and_wait();
    out[threadIdx.x] = 1.0f;
}
