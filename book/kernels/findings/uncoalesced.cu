// finds: nothing
// launch: grid=1, block=32, args=[ramp(32, 32), empty(32)]

// The sum of each row of 32 elements. A thread for each row.
__global__ void row_sums(const float* in, float* out)
{
    float sum = 0.0f;

    for (int column = 0; column < 32; ++column)
        sum += in[32 * threadIdx.x + column];  // load: a row apart
    out[threadIdx.x] = sum;
}
