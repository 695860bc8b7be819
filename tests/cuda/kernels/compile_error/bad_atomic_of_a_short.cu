// kernel: count   grid: 1   block: 32
// args: out int16[1] zeros
// expect: CompileError lines=1 message="'atomicAdd':"
__global__ void count(short* out)
{
    atomicAdd(out, 1);                            // (1)
}
