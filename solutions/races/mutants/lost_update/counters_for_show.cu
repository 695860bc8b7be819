// rejected by: does_without_atomics_lane_exchanges
// perhaps also: uses_shared_memory
// There are counters in shared memory, and the barrier counts.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;
    counted[t] = 0;

    int total = 0;
    for (int first = 0; first < n; first += blockDim.x)
        total += __syncthreads_count(first + t < n && row[first + t] > limit);
    if (t == 0)
        out[blockIdx.x] = total + counted[t];
}
