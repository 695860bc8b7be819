// kernel: scan   grid: 1   block: 128   shared_mem: 1024
// args: in int32[128] random, out int32[128] poison
// expect: nothing
// check: out == np.cumsum(in_)
__global__ void scan(const int* in, int* out)
{
    extern __shared__ int s[];
    int t = threadIdx.x, from = 0;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int to = 128 - from;
        s[to + t] = s[from + t] + (t >= d ? s[from + t - d] : 0);
        from = to;
        __syncthreads();
    }
    out[t] = s[from + t];
}
