%%cuda lost_update
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    // Where does a thread begin to count?
    if (t == 0) counted[0] = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        if (row[i] > limit) {
            // Count one number.
            atomicAdd(&counted, 1);
        }
    }

    // Thread 0 adds up what all have counted, and stores it.
    __syncthreads();
    if (t == 0) out[blockIdx.x] = counted[0];
}
