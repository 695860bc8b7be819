// finds: nothing
// launch: grid=1, block=128, args=[numbers('int32', 4096), empty_int(8, 128), 32]

// Each thread counts, among its `each` elements, the remainders 0 to 7;
// none of them is negative.
__global__ void tally(const int* in, int* out, int each)
{
    __shared__ int counts[128][8];  // a row of its own for each thread
    int t = threadIdx.x, total = 128 * gridDim.x, i = t + 128 * blockIdx.x;

    for (int d = 0; d < 8; ++d)
        counts[t][d] = 0;  // clear
    for (int k = 0; k < each; ++k) {
        int d = in[i + k * total] % 8;
        int before = counts[t][d];  // look: this row is the thread's own
        counts[t][d] = before + 1;  // count
    }
    for (int d = 0; d < 8; ++d)
        out[d * total + i] = counts[t][d];
}
