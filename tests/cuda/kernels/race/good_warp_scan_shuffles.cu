// kernel: scan   grid: 2   block: 32
// args: in int32[64] random, out int32[64] poison
// expect: nothing
// check: out == np.cumsum(in_.reshape(2, 32), axis=1)
__global__ void scan(const int* in, int* out)
{
    int i = blockIdx.x * 32 + threadIdx.x, v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, v, d);  // no memory, and so no barrier
        if (threadIdx.x >= d) v += other;
    }
    out[i] = v;
}
