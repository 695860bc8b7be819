// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), ramp(256)]

// Loads and stores the same element.
__global__ void add_in_place(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] += in[i];
}
