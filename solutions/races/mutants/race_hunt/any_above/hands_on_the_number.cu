// rejected by: matches_numpy
// "Zero is false and every number above the limit is true." One of them may be 0.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int found = __syncthreads_or(i < n && in[i] > limit ? in[i] : 0);
    if (t == 0)
        out[blockIdx.x] = found != 0;
}
