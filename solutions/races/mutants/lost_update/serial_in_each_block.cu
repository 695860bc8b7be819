// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    if (threadIdx.x > 0)
        return;
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += in[blockIdx.x * n + i] > limit;
    out[blockIdx.x] = total;
}
