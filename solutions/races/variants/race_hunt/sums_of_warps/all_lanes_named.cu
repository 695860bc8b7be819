// Names all 32 lanes.
__global__ void sums_of_warps(const int* in, int* out, int n)
{
    extern __shared__ int part[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lane = t % 32;
    part[t] = i < n ? in[i] : 0;
    __syncwarp(0xffffffff);
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) {
            part[t] += part[t + half];
        }
        __syncwarp(0xffffffff);
    }
    if (lane == 0)
        out[i / 32] = part[t];
}
