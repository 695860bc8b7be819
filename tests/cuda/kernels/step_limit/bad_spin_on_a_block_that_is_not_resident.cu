// kernel: wait   grid: 100000   block: 32
// args: flag int32[1] zeros
// expect: StepLimit lines=1 reason=spin block=0,0,0
__global__ void wait(int* flag)
{
    if (blockIdx.x == gridDim.x - 1) atomicExch(flag, 1);
    else while (atomicAdd(flag, 0) == 0) {}       // (1)
}
