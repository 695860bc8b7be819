// finds: nothing
// launch: grid=2, block=8, args=[ramp(40), empty(40), 40]

// Degrees Fahrenheit to degrees Celsius, for any number of elements.
__global__ void celsius(const float* in, float* out, int n)
{
    int stride = gridDim.x * blockDim.x;  // how many threads there are

    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += stride)
        out[i] = (in[i] - 32.0f) / 1.8f;
}
