// kernel: wait   grid: 1   block: 2
// args: flag int32[1] zeros, out int32[2] poison
// expect: StepLimit lines=1
__global__ void wait(int* flag, int* out)
{
    while (atomicAdd(flag, 0) == 0) {}            // (1)
    out[threadIdx.x] = 1;
}
