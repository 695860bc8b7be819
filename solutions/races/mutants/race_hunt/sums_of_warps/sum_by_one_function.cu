// rejected by: does_without_barriers_atomics_lane_exchanges
// "CUDA has a function for that." The race is gone with the kernel that had it.
// out[w] = the sum of the 32 numbers of warp w, counted through all blocks.
__global__ void sums_of_warps(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);

    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}
