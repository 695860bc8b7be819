// rejected by: has_no_races
// perhaps also: matches_numpy, reads_only_what_was_written
// "Thread 0 comes last, for it has the most to do."
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    // Where does a thread begin to count?
    counted[t] = 0;                         // also those who have nothing to count: thread 0 adds up all elements
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit) {
            // Count one number.
            counted[t] = counted[t] + 1;    // three steps as before, but nobody else takes any of them here
        }
    }

    // Thread 0 adds up what all have counted, and stores it.
    if (t == 0) {
        int total = 0;
        for (int other = 0; other < blockDim.x; ++other)
            total += counted[other];
        out[blockIdx.x] = total;
    }
}
