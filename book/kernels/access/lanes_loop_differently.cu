// finds: nothing
// launch: grid=4, block=64, args=[ramp(1024), empty(256)]

// Lane i sums i % 4 + 1 elements.
__global__ void lanes_loop_differently(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = 0.0f;

    for (int k = 0; k <= i % 4; ++k)
        sum += in[4 * i + k];
    out[i] = sum;
}
