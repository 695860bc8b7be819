// rejected by: shares_the_work
// "To load is what takes long. One thread can add up."
// out[i] = in[0] + ... + in[i], for any n. One block, which takes a chunk of blockDim.x numbers at a time.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int carry = 0;                      // the sum of all chunks so far; the same in every thread

    for (int first = 0; first < n; first += blockDim.x) {
        int i = first + t;
        sums[t] = i < n ? in[i] : 0;
        __syncthreads();

        if (t == 0)
            for (int j = 1; j < blockDim.x; ++j)
                sums[j] += sums[j - 1];
        __syncthreads();

        if (i < n)
            out[i] = carry + sums[t];
        carry += sums[blockDim.x - 1];
        __syncthreads();
    }
}
