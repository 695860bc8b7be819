// kernel: count   grid: 1   block: 64
// args: total int32[1] zeros
// expect: Race between=1,2 array=total atomic=True scope=block
__global__ void count(int* total)
{
    atomicAdd(total, 1);                          // (1)
    // That its own atomic came before the write says nothing of the others'.
    if (threadIdx.x == 63) *total = 0;            // (2)
}
