// kernel: scan   grid: 1   block: 64
// args: in int32[64] random, head int32[64] zeros, out int32[64] poison
// expect: nothing
// check: out == np.concatenate([np.cumsum(p) for p in in_.reshape(8, 8)])
__global__ void scan(const int* in, const int* head, int* out)
{
    __shared__ int sum[2][64], flag[2][64];
    int t = threadIdx.x, from = 0;
    sum[0][t] = in[t];
    flag[0][t] = head[t] || t % 8 == 0;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int to = 1 - from;
        sum[to][t] = sum[from][t];
        flag[to][t] = flag[from][t];
        if (t >= d && !flag[from][t]) {
            sum[to][t] += sum[from][t - d];
            flag[to][t] |= flag[from][t - d];
        }
        from = to;
        __syncthreads();  // one is enough: the next round writes the other buffers
    }
    out[t] = sum[from][t];
}
