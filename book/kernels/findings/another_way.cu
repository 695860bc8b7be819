// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), zeros("float32", 1)]

// out[0] = the sum of 64 numbers; it is 0 before the launch.
__global__ void sum_in_turns(const float* in, float* out)
{
    atomicAdd(&out[0], in[threadIdx.x]);
}
