// kernel: meet   grid: 1   block: 64
// args: out int32[64] poison
// expect: Race lines=1,2 array=bar
#include <cuda/barrier>
__global__ void meet(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x); // (1)
    bar.arrive_and_wait();                        // (2)
    out[threadIdx.x] = 1;
}
