// kernel: count   grid: 4   block: 32
// args: total int32[1] zeros
// expect: Race lines=1,1 array=total atomic=True scope=grid
__global__ void count(int* total)
{
    atomicAdd_block(total, 1);                    // (1)
}
