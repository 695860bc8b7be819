// kernel: some_wait   grid: 1   block: 64
// args: out int32[64] poison
// expect: BarrierDivergence lines=1 exited=44 threads=64 scope=block
#include <cooperative_groups.h>
__global__ void some_wait(int* out)
{
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    out[threadIdx.x] = 1;
    if (block.thread_rank() < 20)
        block.sync();                             // (1)
}
