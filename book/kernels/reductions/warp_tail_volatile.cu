// finds: Race
// launch: grid=1, block=32, args=[ramp(64), empty(1)]

// Sums up each block's 64 elements without waiting, as before 2017: wrong.
__global__ void warp_tail(const float* in, float* out)
{
    __shared__ float shared[64];
    volatile float* part = shared;  // each access is one in memory
    int t = threadIdx.x, first = 64 * blockIdx.x;

    part[t] = in[first + t];
    part[t + 32] = in[first + t + 32];
    for (int apart = 32; apart > 0; apart /= 2)
        part[t] += part[t + apart];
    if (t == 0) out[blockIdx.x] = part[0];
}
