// kernel: multiprocessor   grid: 1   block: 32
// args: out uint32[32] poison
// expect: ForbiddenCode lines=1 construct="mov.u32 %0, %nsmid"
__global__ void multiprocessor(unsigned* out)
{
    unsigned id;
    asm("mov.u32 %0, %%nsmid;" : "=r"(id));      // (1)
    out[threadIdx.x] = id;
}
