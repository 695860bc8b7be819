// finds: nothing
// launch: grid=4, block=64, args=[ramp(128), empty(256)]

// Two neighboring threads load the same element.
__global__ void copy_pairs(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i / 2];
}
