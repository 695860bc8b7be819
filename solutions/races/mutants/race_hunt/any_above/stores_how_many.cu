// rejected by: matches_numpy
// "__syncthreads_count is not 0 if there is any." out wants a 1.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int found = __syncthreads_count(i < n && in[i] > limit);      // the barrier itself asks all threads, and tells all
    if (t == 0)
        out[blockIdx.x] = found;
}
