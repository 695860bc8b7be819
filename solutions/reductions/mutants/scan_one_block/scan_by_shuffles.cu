// rejected by: does_without_atomics_lane_exchanges
// "A warp scans without memory." Its lanes hand on by shuffles, and only the sums of the warps go to shared memory.
// out[t] = in[0] + ... + in[t]. One block, n <= blockDim.x.
__global__ void scan_one_block(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int lane = t % 32, lanes = min((int)blockDim.x - (t - lane), 32);

    int sum = t < n ? in[t] : 0;
    for (int reach = 1; reach < 32; reach *= 2) {
        int before = __shfl_up_sync(lanes < 32 ? (1u << lanes) - 1 : 0xffffffff, sum, reach);
        sum += lane >= reach ? before : 0;
    }
    if (lane == 31)
        sums[t / 32] = sum;
    __syncthreads();
    for (int warp = 0; warp < t / 32; ++warp)
        sum += sums[warp];
    if (t < n)
        out[t] = sum;
}
