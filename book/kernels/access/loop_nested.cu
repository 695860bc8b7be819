// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(64)]

// The lanes take turns at going round an inner loop four times and once.
__global__ void loop_nested(const float* in, float* out)
{
    int lane = threadIdx.x;
    float sum = 0.0f;

    for (int r = 0; r < 4; ++r)
        for (int i = 0; i < (lane % 2 == r % 2 ? 4 : 1); ++i)
            sum += in[16 * i + lane % 16];
    if (blockIdx.x == 0) out[lane] = sum;
}
