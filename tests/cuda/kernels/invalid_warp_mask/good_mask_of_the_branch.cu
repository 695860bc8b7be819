// kernel: low_half   grid: 1   block: 32
// args: out int32[32] poison
// expect: nothing
// check: out == np.where(np.arange(32) < 16, 15, -1)
__global__ void low_half(int* out)
{
    int v = -1;
    if (threadIdx.x < 16) v = __shfl_sync(0x0000ffffu, threadIdx.x, 15);
    out[threadIdx.x] = v;
}
