// rejected by: shares_the_work
// "Half of the threads add, so half of them can multiply." Each forms two products, and the others none.
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x, half = (blockDim.x + 1) / 2;
    if (t < half)
        for (int i = t; i < blockDim.x; i += half)
            sums[i] = i < n ? x[i] * y[i] : 0.0f;
    __syncthreads();
    for (int working = blockDim.x / 2; working > 0; working /= 2) {
        if (t < working)
            sums[t] += sums[t + working];
        __syncthreads();
    }
    if (t == 0)
        out[0] = sums[0];
}
