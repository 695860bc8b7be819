// finds: OutOfBounds
// launch: grid=2, block=8, args=[ramp(14), empty(14), 14]

// Degrees Fahrenheit to degrees Celsius, one thread for each.
__global__ void celsius(const float* in, float* out, int n)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    // no guard
    out[i] = (in[i] - 32.0f) / 1.8f;
}
