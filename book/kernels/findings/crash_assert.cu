// finds: Crash
// launch: grid=1, block=32, args=[ramp(32), empty(32)]

// Square roots, for elements that must not be negative.
__global__ void roots(const float* in, float* out)
{
    float x = in[threadIdx.x] - 4;

    assert(x >= 0);
    out[threadIdx.x] = sqrtf(x);
}
