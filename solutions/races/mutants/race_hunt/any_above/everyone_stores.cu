// rejected by: has_no_races
// "All threads know it, so all store it." The same element, the same race.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int found = __syncthreads_or(i < n && in[i] > limit);      // the barrier itself asks all threads, and tells all
        out[blockIdx.x] = found != 0;
}
