%%cuda lost_update
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    // Where does a thread begin to count?
    counted[t] = 0;
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit) {
            // Count one number.
            counted[t]++;
        }
    }

    // Thread 0 adds up what all have counted, and stores it.
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < blockDim.x; k++) sum += counted[k];
        out[blockIdx.x] = sum;
    }
}
