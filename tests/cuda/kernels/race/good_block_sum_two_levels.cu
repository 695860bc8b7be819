// kernel: sum   grid: 2   block: 128
// args: in int32[256] random, out int32[2] poison
// expect: nothing
// check: out == in_.reshape(2, 128).sum(axis=1)
__global__ void sum(const int* in, int* out)
{
    __shared__ int sums[4];
    int t = threadIdx.x, v = in[blockIdx.x * 128 + t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t % 32 == 0) sums[t / 32] = v;
    __syncthreads();
    if (t < 4) {
        v = sums[t];
        for (int d = 2; d > 0; d /= 2) v += __shfl_down_sync(0x0000000fu, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }
}
