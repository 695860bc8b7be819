// kernel: partial   grid: 1   block: 45
// args: out int32[45] poison
// expect: nothing
// check: out == np.where(np.arange(45) < 32, 31 - np.arange(45), 76 - np.arange(45))
__global__ void partial(int* out)
{
    __shared__ int s[45];
    int t = threadIdx.x;
    s[t] = t;
    // The second warp has 13 lanes; the full mask stands for those that exist.
    __syncwarp();
    out[t] = t < 32 ? s[31 - t] : s[76 - t];
}
