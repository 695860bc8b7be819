// rejected by: shares_the_work
// "The last few sums are quicker added up by one." They are 64.
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];     // blockDim.x elements
    int t = threadIdx.x;

    // 1. Write this thread's product, or what adds nothing.
    sums[t] = t < n ? x[t] * y[t] : 0.0f;
    __syncthreads();

    // 2. Add up, in rounds. In each one half as many threads are at work.
    int left = blockDim.x;
    while (left > 64) {
        left /= 2;
        if (t < left) sums[t] += sums[t + left];
        __syncthreads();
    }

    // 3. Store the result.
    if (t == 0) {
        float total = 0.0f;
        for (int k = 0; k < left; ++k)
            total += sums[k];
        out[0] = total;
    }
}
