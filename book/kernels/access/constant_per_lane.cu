// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

__constant__ float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};

// Constant memory, another element for each lane.
__global__ void constant_per_lane(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = weights[i % 4] * in[i];
}
