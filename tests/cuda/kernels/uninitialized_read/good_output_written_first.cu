// kernel: accumulate   grid: 1   block: 32
// args: in float32[64] random, out float32[32] empty
// expect: nothing
// check: out == in_.reshape(2, 32).sum(axis=0)
__global__ void accumulate(const float* in, float* out)
{
    int t = threadIdx.x;
    out[t] = 0.0f;
    for (int r = 0; r < 2; r++) out[t] += in[32 * r + t];
}
