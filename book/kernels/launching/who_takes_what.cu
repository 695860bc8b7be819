// finds: Race
// launch: grid=2, block=8, args=[ramp(14), empty(14), 14]

// Degrees Fahrenheit to degrees Celsius, and who converts what.
__global__ void celsius(const float* in, float* out, int n)
{
    int i = threadIdx.x;

    if (i < n) {
        float c = (in[i] - 32.0f) / 1.8f;
        if (threadIdx.x < 2)  // two threads of each block are enough to see it
            printf("block %d, thread %d: out[%d] = %g\n", blockIdx.x, threadIdx.x, i, c);
        out[i] = c;
    }
}
