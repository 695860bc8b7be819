// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    if (threadIdx.x > 0)
        return;
    int best = 0;
    for (int i = blockIdx.x * blockDim.x; i < (blockIdx.x + 1) * blockDim.x && i < n; ++i)
        best = max(best, in[i] < 0 ? -in[i] : in[i]);
    out[blockIdx.x] = best;
}
