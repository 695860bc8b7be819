// kernel: count   grid: 2   block: 32
// args: total int32[1] zeros
// expect: Race between=1,2 array=total atomic=True scope=grid
__global__ void count(int* total)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        atomicAdd_block(total, 1);                // (1)
        atomicAdd(total, 1);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0)
        atomicAdd(total, 1);                      // (2)
}
