// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[t] = in[0] + ... + in[t]. One block, n <= blockDim.x.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    if (threadIdx.x > 0)
        return;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
