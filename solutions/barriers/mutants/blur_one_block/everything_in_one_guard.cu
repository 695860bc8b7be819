// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, loads_at_most
// "Only the inner threads have neighbors to wait for, so the barrier stands with them." The lecture has it so.
// One block, n <= blockDim.x: out[t] = 0.25 * (in[t - 1] + 2 * in[t] + in[t + 1]); the two ends are copied.
__global__ void blur_one_block(const double* in, double* out, int n)
{
    extern __shared__ double row[];     // blockDim.x elements
    int t = threadIdx.x;

    if (t > 0 && t < n - 1) {
        row[t] = in[t];
        if (t == 1) {
            row[0] = in[0];
            row[n - 1] = in[n - 1];
        }
        __syncthreads();
        out[t] = 0.25 * (row[t - 1] + 2.0 * row[t] + row[t + 1]);
    } else if (t < n) {
        out[t] = in[t];
    }
}
