%%cuda scan_one_block
// out[t] = in[0] + ... + in[t]. One block, n <= blockDim.x.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;

    // 1. Load this thread's number, or what adds nothing.
    sums[t] = t < n ? in[t] : 0;
    __syncthreads();

    // 2. Add up, in rounds. In each one a thread adds what stands twice as far before it.
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (t >= step)
            sums[t] += sums[t - step];
        __syncthreads();
    }

    // 3. Store this thread's sum, if it has a number.
    if (t < n) out[t] = sums[t];
}
