// rejected by: does_without_atomics_lane_exchanges
// perhaps also: uses_shared_memory
// "The barrier counts for me." It does, once for every number of each thread: a barrier in each round of the loop.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;

    int total = 0;
    for (int first = 0; first < n; first += blockDim.x)
        total += __syncthreads_count(first + t < n && row[first + t] > limit);
    if (t == 0)
        out[blockIdx.x] = total;
}
