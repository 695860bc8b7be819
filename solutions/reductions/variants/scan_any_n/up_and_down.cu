// Scans each chunk up a tree, and down again.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];
    int t = threadIdx.x, threads = blockDim.x;
    int carry = 0;
    for (int first = 0; first < n; first += threads) {
        int i = first + t;
        sums[t] = i < n ? in[i] : 0;
        __syncthreads();
        int reach = 1;
        for (; reach < threads; reach *= 2) {
            int at = 2 * reach * (t + 1) - 1;           // the end of a pair of pieces
            if (at < threads)
                sums[at] += sums[at - reach];
            __syncthreads();
        }
        for (reach /= 2; reach > 0; reach /= 2) {
            int at = 2 * reach * (t + 1) - 1 + reach;   // the end of the piece after it
            if (at < threads)
                sums[at] += sums[at - reach];
            __syncthreads();
        }
        if (i < n)
            out[i] = carry + sums[t];
        carry += sums[threads - 1];
        __syncthreads();
    }
}
