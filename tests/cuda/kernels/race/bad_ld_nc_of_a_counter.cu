// kernel: count   grid: 1   block: 64
// args: total uint32[1] zeros, out uint32[64] poison
// expect: Race lines=1,2 array=total atomic=True cached=True count=1
__global__ void count(unsigned* total, unsigned* out)
{
    atomicAdd(total, 1u);                                                 // (1)
    __syncthreads();
    unsigned n;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(n) : "l"(total));    // (2)
    out[threadIdx.x] = n;
}
