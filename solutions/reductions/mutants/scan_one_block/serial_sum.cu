// rejected by: shares_the_work
// "To load is what takes long. One thread can add up."
// out[t] = in[0] + ... + in[t]. One block, n <= blockDim.x.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    sums[t] = t < n ? in[t] : 0;
    __syncthreads();

    if (t == 0)
        for (int j = 1; j < blockDim.x; ++j)
            sums[j] += sums[j - 1];
    __syncthreads();

    if (t < n)
        out[t] = sums[t];
}
