// finds: nothing
// launch: grid=2, block=48, args=[ramp(96), empty(96), 96]

// Reverses an array: each thread sends its element to where it belongs.
__global__ void reverse_scatter(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < n)
        out[n - 1 - i] = in[i];  // scatter
}
