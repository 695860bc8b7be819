// kernel: add_under_lock   grid: 1   block: 32
// args: lock int32[1] zeros, total int32[1] zeros
// expect: StepLimit lines=1 reason=spin
__global__ void add_under_lock(int* lock, int* total)
{
    while (atomicCAS(lock, 0, 1) != 0) {}         // (1)
    __threadfence();
    *total += threadIdx.x;
}
