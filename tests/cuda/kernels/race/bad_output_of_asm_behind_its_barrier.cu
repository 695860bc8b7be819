// kernel: k   grid: 1   block: 64
// args: out uint32[64] poison
// expect: Race lines=1,2 array=s hazard=read-after-write
// A statement of asm writes its outputs behind all of its instructions: the barrier in it orders none of them.
__global__ void k(unsigned* out)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    asm volatile("mov.u32 %0, %%tid.x; bar.sync 0;" : "=r"(s[t])::"memory"); // (1)
    out[t] = s[63 - t]; // (2)
}
