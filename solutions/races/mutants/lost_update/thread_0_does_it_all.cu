// rejected by: loads_at_most
// perhaps also: matches_numpy, shares_the_work, uses_shared_memory
// "If one thread counts, nothing is lost." Then the others have nothing to do, and each number is read twice.
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
    __syncthreads();    // every thread must have counted to its end
    if (t == 0) {
        int total = 0;
        for (int i = 0; i < n; ++i)
            if (row[i] > limit)
                total += 1;
        out[blockIdx.x] = total;
    }
}
