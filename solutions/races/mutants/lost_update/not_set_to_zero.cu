// rejected by: reads_only_what_was_written
// perhaps also: matches_numpy
// "A counter starts at 0." Shared memory starts with anything.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    // Where does a thread begin to count?
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit) {
            // Count one number.
            counted[t] = counted[t] + 1;    // three steps as before, but nobody else takes any of them here
        }
    }

    // Thread 0 adds up what all have counted, and stores it.
    __syncthreads();    // every thread must have counted to its end
    if (t == 0) {
        int total = 0;
        for (int other = 0; other < blockDim.x; ++other)
            total += counted[other];
        out[blockIdx.x] = total;
    }
}
