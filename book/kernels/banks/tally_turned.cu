// finds: nothing
// launch: grid=1, block=128, args=[numbers('int32', 4096), empty_int(8, 128), 32]

// The same with the rows and columns of `counts` exchanged.
__global__ void tally_turned(const int* in, int* out, int each)
{
    __shared__ int counts[8][128];  // a column of its own for each thread
    int t = threadIdx.x, total = 128 * gridDim.x, i = t + 128 * blockIdx.x;

    for (int d = 0; d < 8; ++d)
        counts[d][t] = 0;  // clear
    for (int k = 0; k < each; ++k) {
        int d = in[i + k * total] % 8;
        int before = counts[d][t];  // look: this column is the thread's own
        counts[d][t] = before + 1;  // count
    }
    for (int d = 0; d < 8; ++d)
        out[d * total + i] = counts[d][t];
}
