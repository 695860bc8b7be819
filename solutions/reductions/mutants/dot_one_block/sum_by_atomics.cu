// rejected by: does_without_atomics_lane_exchanges
// "One atomic addition each." 1024 threads take turns at one element, where ten rounds would do.
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];     // blockDim.x elements
    int t = threadIdx.x;

    if (t == 0)
        sums[0] = 0.0f;
    __syncthreads();
    if (t < n)
        atomicAdd(&sums[0], x[t] * y[t]);
    __syncthreads();
    if (t == 0)
        out[0] = sums[0];
}
