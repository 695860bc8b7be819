// kernel: wait   grid: 1   block: 64
// args: flag int32[1] zeros
// expect: StepLimit lines=1 reason=spin
__global__ void wait(int* flag)
{
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) {}        // (1)
    __syncthreads();
    // Set only after a barrier that thread 0 never reaches.
    if (threadIdx.x == 1) atomicExch(flag, 1);
}
