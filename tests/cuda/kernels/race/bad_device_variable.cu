// kernel: count   grid: 2   block: 32
// expect: Race lines=1,1 array=total space=device hazard=write-after-read scope=grid
// expect: Race lines=1,1 array=total space=device hazard=write-after-write scope=grid count=1
__device__ int total;
__global__ void count()
{
    total += 1;                                   // (1)
}
