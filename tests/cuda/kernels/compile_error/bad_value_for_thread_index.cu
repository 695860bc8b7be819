// kernel: first   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message="'x'"
__global__ void first(float* out)
{
    threadIdx.x = 0;                              // (1)
    out[threadIdx.x] = 1.0f;
}
