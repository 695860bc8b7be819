// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Threads with no number leave first, then no guard is needed."
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];     // blockDim.x elements
    int t = threadIdx.x;
    if (t >= n)
        return;

    // 1. Write this thread's product, or what adds nothing.
    sums[t] = t < n ? x[t] * y[t] : 0.0f;   // a 0 adds nothing

    // 2. Add up, in rounds. In each one half as many threads are at work.
    __syncthreads();    // the first round reads what other threads wrote
    for (int working = blockDim.x / 2; working > 0; working /= 2) {
        if (t < working)
            sums[t] += sums[t + working];
        __syncthreads();    // the next round reads what this round wrote; idle threads wait along
    }

    // 3. Store the result.
    if (t == 0)
        out[0] = sums[0];
}
