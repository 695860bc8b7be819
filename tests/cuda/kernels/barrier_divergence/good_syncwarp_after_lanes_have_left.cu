// kernel: reverse   grid: 1   block: 64
// args: out int32[40] poison, n int32 40
// expect: nothing
// check: out == np.concatenate([np.arange(32)[::-1], np.arange(32, 40)[::-1]])
__global__ void reverse(int* out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) return;  // and from here on takes no part in anything
    s[t] = t;
    __syncwarp();
    out[t] = t < 32 ? s[31 - t] : s[n - 1 - (t - 32)];
}
