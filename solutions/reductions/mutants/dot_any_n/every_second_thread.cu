// rejected by: shared_store_requests_at_most
// "Neighbors first, then pairs of neighbors." The threads at work are scattered over all warps.
// out[b] = the sum of all x[i] * y[i] in chunk b, of 8 * blockDim.x numbers. blockDim.x is a power of 2.
__global__ void dot_any_n(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    int first = blockIdx.x * 8 * blockDim.x;
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int i = first + k * blockDim.x + t;
        if (i < n)
            sum += x[i] * y[i];
    }
    sums[t] = sum;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        if (t % (2 * distance) == 0)
            sums[t] += sums[t + distance];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
