// finds: Race
// launch: grid=1, block=64, args=[ramp(64), empty(64), 64]

// In each warp, lanes 16 to 31 pass on what lanes 0 to 15 have squared,
// wrongly.
__global__ void halves_else(const float* in, float* out, int n)
{
    __shared__ float square[1024];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    if (i >= n) return;
    if (lane < 16)
        square[t] = in[i] * in[i];
    else
        out[i] = square[t - 16];
}
