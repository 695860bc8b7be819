// finds: CompileError
// launch: grid=1, block=32, args=[ramp(32), empty(32)]

// Doubles 32 elements.
__global__ void double_all(const float* in, float* out)
{
    int i = threadIdx.x
    out[i] = 2 * in[i];
}
