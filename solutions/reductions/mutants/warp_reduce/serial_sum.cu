// rejected by: shares_the_work
// perhaps also: uses_shuffles
// "One lane of each warp can add up its 32 numbers, and thread 0 the sums of the warps."
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];      // blockDim.x / 32 elements: the sum of each warp
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;

    if (lane == 0) {
        float sum = 0.0f;
        for (int i = blockIdx.x * blockDim.x + t; i < blockIdx.x * blockDim.x + t + 32 && i < n; ++i)
            sum += in[i];
        of_warp[warp] = sum;
    }
    __syncthreads();

    if (t == 0) {
        float sum = 0.0f;
        for (int w = 0; w < blockDim.x / 32; ++w)
            sum += of_warp[w];
        out[blockIdx.x] = sum;
    }
}
