// rejected by: shared_store_requests_at_most
// "Neighbors first, then pairs of neighbors." The threads at work are scattered over all warps.
// out[0] = the sum of all x[i] * y[i]. One block, n <= blockDim.x, and blockDim.x is a power of 2.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    sums[t] = t < n ? x[t] * y[t] : 0.0f;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        if (t % (2 * distance) == 0)
            sums[t] += sums[t + distance];
        __syncthreads();
    }
    if (t == 0)
        out[0] = sums[0];
}
