// finds: nothing
// launch: grid=4, block=64, args=[ramp(4), empty(256)]

// All threads of a block load the same element.
__global__ void broadcast_global(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[blockIdx.x];
}
