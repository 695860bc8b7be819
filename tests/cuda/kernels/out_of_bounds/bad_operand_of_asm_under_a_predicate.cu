// kernel: k   grid: 1   block: 64
// args: out uint32[32] zeros, n int32 32
// expect: OutOfBounds lines=1 array=out action=write
__global__ void k(unsigned* out, int n)
{
    int t = threadIdx.x;
    asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p add.u32 %0, %1, 0; }" : "=r"(out[t]) : "r"(t), "r"(n)); // (1)
}
