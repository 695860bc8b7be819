// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), empty(64)]

// Each element, divided by the sum of all.
__global__ void shares(const float* in, float* out)
{
    float sum = 0.0f;

    for (int i = 0; i < 64; ++i) sum += in[i];  // each thread loads all
    out[threadIdx.x] = in[threadIdx.x] / sum;
}
