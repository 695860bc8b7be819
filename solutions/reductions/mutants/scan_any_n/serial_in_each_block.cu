// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[i] = in[0] + ... + in[i], for any n. One block, which takes a chunk of blockDim.x numbers at a time.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    if (threadIdx.x > 0)
        return;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
