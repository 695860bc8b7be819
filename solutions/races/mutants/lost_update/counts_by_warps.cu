// rejected by: does_without_atomics_lane_exchanges
// "A warp can add up for itself." By a function that does it for the lanes; a place for each thread is not needed.
// out[b] = how many numbers of row b are above limit.
__global__ void count_above(const float* in, int* out, int n, float limit)
{
    extern __shared__ int counted[];        // blockDim.x elements, one for each thread
    int t = threadIdx.x;
    const float* row = in + blockIdx.x * n;
    int lanes = min((int)blockDim.x - t / 32 * 32, 32);

    int mine = 0;
    for (int i = t; i < n; i += blockDim.x)
        mine += row[i] > limit;
    mine = __reduce_add_sync(lanes < 32 ? (1u << lanes) - 1 : 0xffffffff, mine);
    if (t % 32 == 0)
        counted[t / 32] = mine;
    __syncthreads();
    if (t == 0) {
        int total = 0;
        for (int warp = 0; warp < (blockDim.x + 31) / 32; ++warp)
            total += counted[warp];
        out[blockIdx.x] = total;
    }
}
