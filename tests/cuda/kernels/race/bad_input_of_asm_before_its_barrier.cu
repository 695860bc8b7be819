// kernel: k   grid: 1   block: 64
// args: out uint32[64] poison
// expect: Race lines=1,2 array=s hazard=read-after-write
// A statement of asm reads its inputs before all of its instructions.
__global__ void k(unsigned* out)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, x;
    s[t] = t; // (1)
    asm volatile("bar.sync 0; add.u32 %0, %1, 1;" : "=r"(x) : "r"(s[63 - t]) : "memory"); // (2)
    out[t] = x;
}
