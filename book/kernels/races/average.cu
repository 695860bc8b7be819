// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128), 128]

// Each element of out is the average of an element of in and its right
// neighbor.
__global__ void average(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) out[i] = i + 1 < n ? 0.5f * (in[i] + in[i + 1]) : in[i];
}
