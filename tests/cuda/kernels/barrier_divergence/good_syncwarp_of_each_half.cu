// kernel: halves   grid: 1   block: 64
// args: out int32[64] poison
// expect: nothing
// check: out == np.arange(64).reshape(4, 16)[:, ::-1]
__global__ void halves(int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 32 < 16) __syncwarp(0x0000ffffu);
    else __syncwarp(0xffff0000u);
    out[t] = s[t / 16 * 16 + 15 - t % 16];
}
