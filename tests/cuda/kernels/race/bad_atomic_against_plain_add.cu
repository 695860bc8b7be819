// kernel: add   grid: 1   block: 64
// args: total int32[1] zeros
// expect: Race lines=1,2 array=total atomic=True hazard=write-after-write
// expect: Race lines=1,2 array=total atomic=True hazard=read-after-write
__global__ void add(int* total)
{
    if (threadIdx.x < 63) atomicAdd(total, 1);    // (1)
    else *total += 1;                             // (2)
}
