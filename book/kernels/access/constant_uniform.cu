// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

__constant__ float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};

// Constant memory, the same element for all lanes: it has a cache of its own.
__global__ void constant_uniform(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = 0.0f;

    for (int k = 0; k < 4; ++k)
        sum += weights[k] * in[i];
    out[i] = sum;
}
