// kernel: k   grid: 1   block: 1
// args: out float32[1] zeros
// expect: CompileError lines=1 message="constraint:"
__global__ void k(float* out)
{
    asm volatile("st.global.b32 [%0], %1;" ::"l"(out), "r"(1.5f)); // (1)
}
