// finds: nothing
// launch: for offset in (1, 7, 8, 31): grid=4, block=64, args=[ramp(256), empty(288), offset]

// Neighboring threads store neighbors, from element `offset` on.
__global__ void store_offset(const float* in, float* out, int offset)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i + offset] = in[i];
}
