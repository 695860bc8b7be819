// finds: nothing
// launch: grid=4, block=64, args=[ramp(1024), shuffled(1024), empty(256)]

// Each thread loads an element anywhere.
__global__ void gather_random(const float* in, const int* from, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[from[i]];
}
