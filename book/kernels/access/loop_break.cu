// finds: nothing
// launch: grid=1, block=64, args=[ramp(256), empty(64)]

// A lane leaves the loop with a load, each quarter of them in another round.
__global__ void loop_break(const float* in, float* out)
{
    float sum = 0.0f;

    for (int i = 0; i < 4; ++i)
        if (threadIdx.x % 4 == i) {
            sum += in[64 * i + threadIdx.x];
            break;
        }
    out[threadIdx.x] = sum + in[threadIdx.x];
}
