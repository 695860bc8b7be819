// finds: Race
// launch: grid=1, block=64, args=[ramp(64), empty(64)]

// Each thread takes its right neighbor's element.
__global__ void take_next(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;

    tile[t] = in[t];
    out[t] = tile[(t + 1) % 64];
}
