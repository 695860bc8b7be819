// kernel: k   grid: 1   block: 1
// args: out uint32[1] zeros
// expect: ForbiddenCode lines=1 construct="mov.u32 %0, %tid.x"
__global__ void k(unsigned* out)
{
    asm volatile("mov.u32 %0, %%tid.x;" ::"r"(out[0])); // (1)
}
