// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), zeros('float32', 64)]

// Lanes return in three different rounds; the rest goes on together.
__global__ void loop_return(const float* in, float* out)
{
    float sum = 0.0f;

    for (int i = 0; i < 3; ++i) {
        if (threadIdx.x % 4 == i) {
            out[threadIdx.x] = sum;
            return;
        }
        sum += in[threadIdx.x] * i;
    }
    out[threadIdx.x] = sum + in[threadIdx.x];
}
