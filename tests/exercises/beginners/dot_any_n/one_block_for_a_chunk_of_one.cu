%%values dot_any_n
# n: how many numbers    threads: how many threads a block has
grid = ceil_div(n, threads)
block = threads
shared_mem = threads

%%cuda dot_any_n
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];                 // blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;        // where the block's chunk begins

    // 1. Add up this thread's products, at most 8, and write their sum into sums.
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        int i = first + k * blockDim.x + t;
        if (i < n) sum += x[i] * y[i];
    }
    sums[t] = sum;
    __syncthreads();

    // 2. Add up the block's sums, in rounds.
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }

    // 3. Store the sum of the block.
    if (t == 0) out[blockIdx.x] = sums[0];
}
