// rejected by: does_without_atomics_lane_exchanges
// "A warp needs no barrier." Its lanes hand on by shuffles, and one thread goes through what the warps have found.
// out[b] = the largest of block b's numbers, without their signs. blockDim.x is a power of 2.
__global__ void largest_of_block(const int* in, int* out, int n)
{
    extern __shared__ int best[];       // blockDim.x elements
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lanes = min((int)blockDim.x, 32);

    int mine = i < n ? abs(in[i]) : 0;
    for (int half = lanes / 2; half > 0; half /= 2)
        mine = max(mine, __shfl_down_sync(lanes < 32 ? (1u << lanes) - 1 : 0xffffffff, mine, half));
    if (t % 32 == 0)
        best[t / 32] = mine;
    __syncthreads();
    if (t == 0) {
        for (int warp = 1; warp < blockDim.x / 32; ++warp)
            mine = max(mine, best[warp]);
        out[blockIdx.x] = mine;
    }
}
