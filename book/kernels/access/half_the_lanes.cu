// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), ramp(256)]

// Every other lane has something to do.
__global__ void half_the_lanes(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i % 2 == 0)
        out[i] = in[i];
}
