// finds: nothing
// launch: for offset in range(32): grid=4, block=64, args=[ramp(288), empty(256), offset]

// Neighboring threads load neighbors; the first element begins a sector only where 8 divides `offset`.
__global__ void copy_offset(const float* in, float* out, int offset)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i + offset];
}
