%%cuda any_above
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i < n && in[i] > limit)
        out[blockIdx.x] = 1;
}
