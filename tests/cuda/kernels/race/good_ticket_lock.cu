// kernel: add_in_turn   grid: 2   block: 64
// args: next int32[1] zeros, serving int32[1] zeros, total int32[1] zeros
// expect: nothing
// check: total == [2 * 63 * 32]
__global__ void add_in_turn(int* next, int* serving, int* total)
{
    int mine = atomicAdd(next, 1);
    while (atomicAdd(serving, 0) != mine) {}
    __threadfence();
    *total += threadIdx.x;
    __threadfence();
    atomicAdd(serving, 1);
}
