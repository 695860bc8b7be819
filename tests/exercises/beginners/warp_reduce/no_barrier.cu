%%cuda warp_reduce
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];      // blockDim.x / 32 elements: the sum of each warp
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    int i = blockIdx.x * blockDim.x + t;

    // 1. Add up the numbers of each warp, by shuffles.
    float sum = i < n ? in[i] : 0;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);

    // 2. Hand the sum of each warp to the first warp.
    if (lane == 0) of_warp[warp] = sum;

    // 3. Add up the sums of the warps, by shuffles of the first warp, and store the result.
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? of_warp[lane] : 0;
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}
