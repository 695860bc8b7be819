// kernel: hand_over   grid: 1   block: 64
// args: out int32[1] poison
// expect: nothing
// check: out == [42]
__global__ void hand_over(int* out)
{
    __shared__ int data, ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {  // spins for a thread of the next warp
        while (atomicAdd(&ready, 0) == 0) {}
        __threadfence_block();
        *out = data;
    } else if (threadIdx.x == 40) {
        data = 42;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
}
