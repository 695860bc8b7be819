// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), empty(1)]

// out[0] = the sum of 64 numbers.
__global__ void sum_of_all(const float* in, float* out)
{
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 64; ++i)
            sum += in[i];
        out[0] = sum;
    }
}
