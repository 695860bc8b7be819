// finds: Race
// launch: grid=1, block=32, args=[ramp(64), empty(1), zeros("int32", 2)]

__device__ __noinline__ void finish(volatile float* part, int t)
{
    for (int apart = 32; apart > 0; apart /= 2)
        part[t] += part[t + apart];
}

// The same with lanes that come from two branches: wrong.
__global__ void warp_tail(const float* in, float* out, int* ways)
{
    __shared__ float part[64];
    int t = threadIdx.x, first = 64 * blockIdx.x;
    float a = in[first + t], b = in[first + t + 32];

    part[t] = a;
    part[t + 32] = b;
    if (a < b) {  // which way a lane goes depends on its data
        atomicAdd(&ways[0], 1);
        finish(part, t);
    } else {
        finish(part, t);
        atomicAdd(&ways[1], 1);
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
