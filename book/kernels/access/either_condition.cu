// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), zeros('float32', 64)]

// Some lanes know from the first condition that they load, others from the second.
__global__ void either_condition(const float* in, float* out)
{
    if (threadIdx.x % 4 == 0 || in[threadIdx.x] > 1e6f || threadIdx.x % 4 == 1)
        out[threadIdx.x] = in[threadIdx.x];
}
