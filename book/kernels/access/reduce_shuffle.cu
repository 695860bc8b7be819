// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(4)]

// Each warp sums its elements in registers.
__global__ void reduce_shuffle(const float* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    float sum = in[i];

    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (i % 32 == 0) out[i / 32] = sum;
}
