// finds: nothing
// launch: grid=4, block=64, args=[ramp(237), empty(237), 237]

// The last warp has 13 lanes with something to do.
__global__ void copy_with_tail(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    if (i >= n) return;
    out[i] = in[i];
}
