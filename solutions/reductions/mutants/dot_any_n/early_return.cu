// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Threads with no number leave first."
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];                 // blockDim.x elements
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;        // where the block's chunk begins
    if (first + t >= n)
        return;

    // 1. Add up this thread's products, at most 8, and write their sum into sums.
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int i = first + k * blockDim.x + t;     // lanes next to each other, numbers next to each other
        if (i < n)
            sum += x[i] * y[i];
    }
    sums[t] = sum;

    // 2. Add up the block's sums, in rounds.
    __syncthreads();    // the first round reads what other threads wrote
    for (int working = blockDim.x / 2; working > 0; working /= 2) {
        if (t < working)
            sums[t] += sums[t + working];
        __syncthreads();    // the next round reads what this round wrote; idle threads wait along
    }

    // 3. Store the sum of the block.
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
