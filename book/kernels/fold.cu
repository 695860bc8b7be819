// finds: Race
// launch: grid=1, block=256, args=[ramp(256), empty(256)]

__global__ void fold(const float* in, float* out)
{
    __shared__ float tile[256];
    int t = threadIdx.x;

    tile[t] = in[t];
    out[t] = tile[t] + tile[255 - t];
}
