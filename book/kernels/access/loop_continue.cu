// finds: nothing
// launch: grid=1, block=64, args=[ramp(512), empty(64)]

// Half the lanes load in each round, and the other half in the next one.
__global__ void loop_continue(const float* in, float* out)
{
    float sum = 0.0f;

    for (int i = 0; i < 8; ++i) {
        if ((i + threadIdx.x) % 2) continue;
        sum += in[64 * i + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
