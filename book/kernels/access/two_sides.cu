// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), ramp(256), empty(256)]

// Each side of the branch is a request of its own.
__global__ void two_sides(const float* even, const float* odd, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i % 2 == 0)
        out[i] = 2.0f * even[i];
    else
        out[i] = odd[i] + 1.0f;
}
