// kernel: hand_over   grid: 1   block: 64
// args: in float32[32] random, out float32[32] poison
// expect: Race lines=1,2 array=slot hazard=read-after-write
#include <cuda/barrier>
// The reader waits for nothing, and the writer at a barrier first: in each order that a schedule chooses, nobody has
// written the slot before.
__global__ void hand_over(const float* in, float* out)
{
    __shared__ float slot[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> empty;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&empty, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        empty.wait_parity(1);
        slot[lane] = in[lane]; // (1)
    } else {
        out[lane] = slot[31 - lane]; // (2)
        (void)empty.arrive();
    }
}
