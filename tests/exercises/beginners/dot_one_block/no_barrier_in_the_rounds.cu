%%cuda dot_one_block
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];     // blockDim.x elements
    int t = threadIdx.x;

    // 1. Write this thread's product, or what adds nothing.
    sums[t] = t < n ? x[t] * y[t] : 0;
    __syncthreads();

    // 2. Add up, in rounds. In each one half as many threads are at work.
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
    }

    // 3. Store the result.
    if (t == 0) out[0] = sums[0];
}
