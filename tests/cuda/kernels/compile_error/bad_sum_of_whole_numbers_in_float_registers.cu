// kernel: k   grid: 1   block: 1
// args: out float32[1] zeros
// expect: CompileError lines=1 message="floating-point"
__global__ void k(float* out)
{
    unsigned sum;
    asm("add.u32 %0, %1, 0;" : "=r"(sum) : "f"(out[0])); // (1)
    out[0] = sum;
}
