// rejected by: matches_numpy
// "Thread 0 stores, so thread 0 asks."
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int found = i < n && in[i] > limit;      // the barrier itself asks all threads, and tells all
    if (t == 0)
        out[blockIdx.x] = found != 0;
}
