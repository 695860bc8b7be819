// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Threads with no number leave first, then no guard is needed."
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];      // blockDim.x / 32 elements: the sum of each warp
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;

    // 1. Add up the numbers of each warp, by shuffles.
    float sum = i < n ? in[i] : 0.0f;       // a 0 adds nothing, and the lane takes part
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, lanes);

    // 2. Hand the sum of each warp to the first warp.
    if (lane == 0)
        of_warp[warp] = sum;
    __syncthreads();    // the first warp reads what all warps wrote

    // 3. Add up the sums of the warps, by shuffles of the first warp, and store the result.
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
        for (int lanes = 16; lanes > 0; lanes /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, lanes);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}
