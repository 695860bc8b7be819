// kernel: count   grid: 4   block: 32
// args: total int32[4] zeros
// expect: nothing
// check: total == [32] * 4
__global__ void count(int* total)
{
    atomicAdd_block(&total[blockIdx.x], 1);
}
