// finds: nothing
// launch: grid=2, block=32, args=[ramp(64), empty(64)]

// out[i] = in[i] squared, it says.
__global__ void square(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i] + in[i];
}
