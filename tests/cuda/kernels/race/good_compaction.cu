// kernel: compact   grid: 1   block: 64
// args: in int32[64] random, out int32[64] zeros, count int32[1] poison
// expect: nothing
// check: out == np.pad(in_[in_ % 2 == 1], (0, (in_ % 2 == 0).sum()))
__global__ void compact(const int* in, int* out, int* count)
{
    __shared__ int at[64];
    int t = threadIdx.x, keep = in[t] % 2;
    at[t] = keep;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int other = t >= d ? at[t - d] : 0;
        __syncthreads();
        at[t] += other;
        __syncthreads();
    }
    if (keep) out[at[t] - 1] = in[t];
    if (t == 63) *count = at[63];
}
