// kernel: transfer   grid: 1   block: 64
// args: locks int32[2] zeros, held int32[1] zeros
// expect: StepLimit reason=spin
__global__ void transfer(int* locks, int* held)
{
    int first = threadIdx.x / 32;
    if (threadIdx.x % 32 > 0) return;
    while (atomicCAS(locks + first, 0, 1) != 0) {}
    atomicAdd(held, 1);
    while (atomicAdd(held, 0) < 2) {}  // both hold one lock now
    while (atomicCAS(locks + 1 - first, 0, 1) != 0) {}
    atomicExch(locks + first, 0);
    atomicExch(locks + 1 - first, 0);
}
