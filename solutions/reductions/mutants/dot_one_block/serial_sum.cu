// rejected by: shares_the_work
// "To load is what takes long. One thread can add up."
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];     // blockDim.x elements
    int t = threadIdx.x;
    sums[t] = t < n ? x[t] * y[t] : 0.0f;
    __syncthreads();

    if (t == 0) {
        float sum = 0.0f;
        for (int other = 0; other < blockDim.x; ++other)
            sum += sums[other];
        out[0] = sum;
    }
}
