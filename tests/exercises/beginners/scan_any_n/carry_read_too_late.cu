%%cuda scan_any_n
// out[i] = in[0] + ... + in[i], for any n. One block, which takes a chunk of blockDim.x numbers at a time.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int carry = 0;                      // the sum of all chunks so far; the same in every thread

    for (int first = 0; first < n; first += blockDim.x) {
        int i = first + t;

        // 1. Load this thread's number of the chunk, or what adds nothing.
        sums[t] = i < n ? in[i] : 0;
        __syncthreads();

        // 2. Scan the chunk, in rounds.
        for (int step = 1; step < blockDim.x; step *= 2) {
            int other = t >= step ? sums[t - step] : 0;
            __syncthreads();
            sums[t] += other;
            __syncthreads();
        }

        // 3. Store this thread's sum, if it has a number. Then add the chunk to the carry.
        if (i < n) out[i] = carry + sums[t];
        carry += sums[blockDim.x - 1];
    }
}
