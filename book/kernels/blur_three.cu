// finds: nothing
// launch: grid=4, block=8, args=[ramp(32), empty(32), 32]

// Each element becomes the mean of itself and its two neighbors; the ends stay.
__global__ void blur_three(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    int left = i > 0 ? i - 1 : i, right = i < n - 1 ? i + 1 : i;

    out[i] = (in[left] + in[i] + in[right]) / 3.0f;  // blur
}
