// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), zeros('float32', 64)]

// Case 0 goes on into case 1.
__global__ void switch_falls(const float* in, float* out)
{
    float sum = 0.0f;

    switch (threadIdx.x % 3) {
    case 0:
        sum += in[63 - threadIdx.x];
    case 1:
        sum += in[threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
