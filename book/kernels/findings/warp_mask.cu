// finds: InvalidWarpMask
// launch: grid=1, block=32, args=[ramp(32), empty(32)]

// Gives all lanes the element of lane 0.
__global__ void spread(const float* in, float* out)
{
    float mine = in[threadIdx.x];

    out[threadIdx.x] = __shfl_sync(0x0000ffff, mine, 0);
}
