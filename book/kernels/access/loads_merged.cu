// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

// Loads the same element three times; nothing is stored in between.
__global__ void loads_merged(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i] + in[i] * in[i];
}
