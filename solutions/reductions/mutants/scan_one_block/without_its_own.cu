// rejected by: matches_numpy
// "The sum of all numbers before t." It is the sum up to and including t.
// out[t] = in[0] + ... + in[t]. One block, n <= blockDim.x.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;

    // 1. Load this thread's number, or what adds nothing.
    sums[t] = t < n ? in[t] : 0;
    __syncthreads();    // the first round reads what other threads loaded

    // 2. Add up, in rounds. In each one a thread adds what stands twice as far before it.
    for (int reach = 1; reach < blockDim.x; reach *= 2) {
        int before = t >= reach ? sums[t - reach] : 0;
        __syncthreads();    // everyone must have read before anyone adds
        sums[t] += before;
        __syncthreads();    // the next round reads what this round wrote
    }

    // 3. Store this thread's sum, if it has a number.
    if (t < n)
        out[t] = t > 0 ? sums[t - 1] : 0;
}
