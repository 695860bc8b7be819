// finds: nothing
// launch: grid=3, block=128, args=[ramp(300), empty(300), 300]

// out[i] = (in[i - 1] + 2 in[i] + in[i + 1]) / 4, one element a thread; the two ends stay as they are.
__global__ void blur(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool inside = i > 0 && i < n - 1;
    out[i] = inside ? 0.25f * (in[i - 1] + 2.0f * in[i] + in[i + 1]) : in[i];
}
