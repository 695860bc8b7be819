// finds: nothing
// launch: grid=2, block=64, args=[ramp(1024), empty(1024)]

// Each thread takes eight neighbors, so that the lanes of a warp are 32 bytes apart.
__global__ void copy_chunks(const float* in, float* out)
{
    int first = 8 * (threadIdx.x + blockDim.x * blockIdx.x);

    for (int k = 0; k < 8; ++k)
        out[first + k] = in[first + k];
}
