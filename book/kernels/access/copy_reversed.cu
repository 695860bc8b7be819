// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), empty(256), 256]

// The last thread loads the first element: the order of the lanes within a sector costs nothing.
__global__ void copy_reversed(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[n - 1 - i];
}
