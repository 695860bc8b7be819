// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Each thread goes from number to number, as long as it has one." The threads of the last chunk go one round more.
// out[i] = in[0] + ... + in[i], for any n. One block, which takes a chunk of blockDim.x numbers at a time.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int carry = 0;                      // the sum of all chunks so far; the same in every thread

    for (int i = t; i < n; i += blockDim.x) {

        // 1. Load this thread's number of the chunk, or what adds nothing.
        sums[t] = i < n ? in[i] : 0;
        __syncthreads();    // the first round reads what other threads loaded

        // 2. Scan the chunk, in rounds.
        for (int reach = 1; reach < blockDim.x; reach *= 2) {
            int before = t >= reach ? sums[t - reach] : 0;
            __syncthreads();    // everyone must have read before anyone adds
            sums[t] += before;
            __syncthreads();    // the next round reads what this round wrote
        }

        // 3. Store this thread's sum, if it has a number. Then add the chunk to the carry.
        if (i < n)
            out[i] = carry + sums[t];
        carry += sums[blockDim.x - 1];
        __syncthreads();    // everyone must be done with sums before the next chunk overwrites it
    }
}
