// rejected by: does_without_atomics
// "An atomic may race with an atomic." True, and many threads take turns to write what one of them could.
// out[b] = 1 if any of block b's numbers is above limit, else 0.
__global__ void any_above(const int* in, int* out, int n, int limit)
{
    __shared__ int found;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t == 0)
        found = 0;
    __syncthreads();
    if (i < n && in[i] > limit)
        atomicOr(&found, 1);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = found;
}
