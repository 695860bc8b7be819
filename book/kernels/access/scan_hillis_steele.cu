// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

// Running sums in two buffers that change places.
__global__ void scan_hillis_steele(const float* in, float* out)
{
    __shared__ float sums[2][64];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x, now = 0;

    sums[0][t] = in[i];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        float sum = sums[now][t];
        if (t >= step) sum += sums[now][t - step];
        now = 1 - now;
        sums[now][t] = sum;
        __syncthreads();
    }
    out[i] = sums[now][t];
}
