// kernel: sum   grid: 1   block: 64
// args: in int32[64] random, out int32[1] poison
// expect: UninitializedRead lines=1 array=sums space=shared count=30
__global__ void sum(const int* in, int* out)
{
    __shared__ int sums[32];
    int t = threadIdx.x, v = in[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t % 32 == 0) sums[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = sums[t];                              // (1)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (t == 0) *out = v;
    }
}
