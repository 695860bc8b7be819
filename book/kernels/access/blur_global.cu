// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), empty(256), 256]

// Each thread loads three neighbors from global memory.
__global__ void blur_global(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    float left = i > 0 ? in[i - 1] : 0.0f;
    float right = i < n - 1 ? in[i + 1] : 0.0f;
    out[i] = (left + in[i] + right) / 3.0f;
}
