// finds: nothing
// launch: grid=1, block=32, args=[ramp(64), empty(1)]

// The sum of each block's 64 elements. A block is one warp.
__global__ void warp_tail(const float* in, float* out)
{
    __shared__ float part[64];
    int t = threadIdx.x, first = 64 * blockIdx.x;

    part[t] = in[first + t];
    part[t + 32] = in[first + t + 32];
    for (int apart = 32; apart > 0; apart /= 2) {
        __syncwarp();  // what was written is there
        float other = part[t + apart];
        __syncwarp();  // all have read, now they may write
        part[t] += other;
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
