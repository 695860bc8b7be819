// rejected by: shares_the_work
// "To load is what takes long. One thread can add up."
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
    sums[t] = sum;
    __syncthreads();

    if (t == 0) {
        float total = 0.0f;
        for (int other = 0; other < blockDim.x; ++other)
            total += sums[other];
        out[blockIdx.x] = total;
    }
}
