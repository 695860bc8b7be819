// rejected by: does_without_atomics_lane_exchanges
// "Eight products in a register, then one atomic." The threads of a block take turns where they could halve their number.
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];                 // blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;        // where the block's chunk begins

    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int i = first + k * blockDim.x + t;
        if (i < n)
            sum += x[i] * y[i];
    }
    if (t == 0)
        sums[0] = 0.0f;
    __syncthreads();
    atomicAdd(&sums[0], sum);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
