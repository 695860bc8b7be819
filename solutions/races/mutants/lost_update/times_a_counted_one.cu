// rejected by: uses_shared_memory
// perhaps also: does_without_atomics_lane_exchanges
// The barrier counts, and a 1 in shared memory says that it may.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    counted[t] = 1;
    int total = 0;
    for (int first = 0; first < n; first += blockDim.x)
        total += __syncthreads_count(first + t < n && row[first + t] > limit);
    if (t == 0)
        out[blockIdx.x] = total * counted[blockDim.x - 1];
}
