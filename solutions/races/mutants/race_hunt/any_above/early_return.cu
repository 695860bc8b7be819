// rejected by: reaches_every_barrier
// "A thread without a number has nothing to say, so it leaves."
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;
    int found = __syncthreads_or(in[i] > limit);
    if (t == 0)
        out[blockIdx.x] = found != 0;
}
