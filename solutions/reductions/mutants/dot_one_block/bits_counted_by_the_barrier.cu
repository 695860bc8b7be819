// rejected by: does_without_atomics_lane_exchanges
// perhaps also: matches_numpy
// "A barrier can count." So it counts bit by bit, and one store to sums stands there for show.
__global__ void dot_one_block(const float* x, const float* y, float* out, int n)
{
    extern __shared__ float sums[];
    int t = threadIdx.x;
    int whole = t < n ? (int)(x[t] * y[t] * 4096.0f) : 0;       // products of 64ths

    int total = -__syncthreads_count(whole < 0) << 14;
    for (int bit = 13; bit >= 0; --bit)
        total += __syncthreads_count(whole >> bit & 1) << bit;
    sums[t] = total / 4096.0f;
    if (t == 0)
        out[0] = sums[t];
}
