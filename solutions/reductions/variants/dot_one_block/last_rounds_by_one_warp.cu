// The last rounds, in which only the first warp works, wait for that warp alone.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    sums[t] = t < n ? x[t] * y[t] : 0.0f;
    __syncthreads();
    int working = blockDim.x / 2;
    for (; working >= 32; working /= 2) {
        if (t < working)
            sums[t] += sums[t + working];
        __syncthreads();
    }
    if (t < 32)
        for (; working > 0; working /= 2) {
            if (t < working)
                sums[t] += sums[t + working];
            __syncwarp();
        }
    if (t == 0)
        out[0] = sums[0];
}
