// Up a tree, and down again: each round adds only what the next one needs.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    extern __shared__ int sums[];
    int t = threadIdx.x, threads = blockDim.x;
    sums[t] = t < n ? in[t] : 0;
    __syncthreads();
    int reach = 1;
    for (; reach < threads; reach *= 2) {
        int at = 2 * reach * (t + 1) - 1;               // the end of a pair of pieces
        if (at < threads)
            sums[at] += sums[at - reach];
        __syncthreads();
    }
    for (reach /= 2; reach > 0; reach /= 2) {
        int at = 2 * reach * (t + 1) - 1 + reach;       // the end of the piece after it
        if (at < threads)
            sums[at] += sums[at - reach];
        __syncthreads();
    }
    if (t < n)
        out[t] = sums[t];
}
