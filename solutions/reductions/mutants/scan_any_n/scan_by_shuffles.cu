// rejected by: does_without_atomics_lane_exchanges
// "A warp scans without memory." Its lanes hand on by shuffles, and only the sums of the warps go to shared memory.
// out[i] = in[0] + ... + in[i], for any n. One block, which takes a chunk of blockDim.x numbers at a time.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int lane = t % 32, lanes = min((int)blockDim.x - (t - lane), 32);
    int carry = 0;                      // the sum of all chunks so far; the same in every thread

    for (int first = 0; first < n; first += blockDim.x) {
        int i = first + t;
        int sum = i < n ? in[i] : 0;
        for (int reach = 1; reach < 32; reach *= 2) {
            int before = __shfl_up_sync(lanes < 32 ? (1u << lanes) - 1 : 0xffffffff, sum, reach);
            sum += lane >= reach ? before : 0;
        }
        if (lane == lanes - 1)
            sums[t / 32] = sum;
        __syncthreads();
        for (int warp = 0; warp < t / 32; ++warp)
            sum += sums[warp];
        if (i < n)
            out[i] = carry + sum;
        for (int warp = 0; warp < (blockDim.x + 31) / 32; ++warp)
            carry += sums[warp];
        __syncthreads();
    }
}
