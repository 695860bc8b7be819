// finds: nothing
// launch: grid=2, block=48, args=[ramp(96), empty(96), 96]

// Reverses an array: each thread fetches what belongs into its place.
__global__ void reverse_gather(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i < n)
        out[i] = in[n - 1 - i];  // gather
}
