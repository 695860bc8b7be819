// rejected by: is_coalesced
// perhaps also: loads_at_most, shares_the_work
// "Each thread takes a run of numbers that follow each other." Lanes then load a whole run apart, and twice.
// out[i] = in[0] + ... + in[i], for any n. One block; each thread takes a run of numbers.
__global__ void scan_any_n(const int* in, int* out, int n)
{
    extern __shared__ int sums[];       // blockDim.x elements
    int t = threadIdx.x;
    int length = (n + blockDim.x - 1) / blockDim.x;
    int first = min(n, t * length), end = min(n, first + length);

    int own = 0;
    for (int i = first; i < end; ++i)
        own += in[i];
    sums[t] = own;
    __syncthreads();    // the first round reads what other threads loaded

    for (int reach = 1; reach < blockDim.x; reach *= 2) {
        int before = t >= reach ? sums[t - reach] : 0;
        __syncthreads();    // everyone must have read before anyone adds
        sums[t] += before;
        __syncthreads();    // the next round reads what this round wrote
    }

    int sum = sums[t] - own;
    for (int i = first; i < end; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
