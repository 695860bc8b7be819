// rejected by: does_without_atomics_lane_exchanges
// "Shuffles are faster." They are, and warp_reduce is about them; the tree in shared memory is not written.
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];                 // blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;        // where the block's chunk begins
    int lanes = min((int)blockDim.x, 32);

    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int i = first + k * blockDim.x + t;
        if (i < n)
            sum += x[i] * y[i];
    }
    for (int half = lanes / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(lanes < 32 ? (1u << lanes) - 1 : 0xffffffff, sum, half);
    if (t % 32 == 0)
        sums[t / 32] = sum;
    __syncthreads();
    if (t == 0) {
        for (int warp = 1; warp < blockDim.x / 32; ++warp)
            sum += sums[warp];
        out[blockIdx.x] = sum;
    }
}
