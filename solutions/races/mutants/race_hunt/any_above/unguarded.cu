// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "The barrier asks all threads, so all threads look." Some have no number to look at.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int found = __syncthreads_or(in[i] > limit);
    if (t == 0)
        out[blockIdx.x] = found != 0;
}
