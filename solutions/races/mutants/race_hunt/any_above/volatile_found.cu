// rejected by: has_no_races
// "volatile is for variables that several threads write." It orders none of them.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    __shared__ volatile int found;
    if (t == 0)
        found = 0;
    __syncthreads();
    if (i < n && in[i] > limit)
        found = 1;
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = found;
}
