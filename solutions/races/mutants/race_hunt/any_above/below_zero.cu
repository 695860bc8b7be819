// rejected by: matches_numpy
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    int found = __syncthreads_or(i < n && in[i] > limit);
    if (t == 0)
        out[blockIdx.x] = found < 0;         // CUDA promises of a yes that it is not 0, and no more
}
