// kernel: copy   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: CompileError lines=1,2 message=undeclared
__global__ void copy(const float* in, float* out)
{
    int i = threadidx.x;                          // (1)
    out[i] = inn[i];                              // (2)
}
