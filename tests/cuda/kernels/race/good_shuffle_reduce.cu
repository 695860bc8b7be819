// kernel: sum   grid: 2   block: 128
// args: in float32[256] random, out float32[2] poison
// expect: nothing
// check: out == in_.reshape(2, 128).sum(axis=1)
__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}
__global__ void sum(const float* in, float* out)
{
    __shared__ float s[4];
    int t = threadIdx.x;
    float v = warp_sum(in[blockIdx.x * 128 + t]);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = warp_sum(t < 4 ? s[t] : 0.0f);
        if (t == 0) out[blockIdx.x] = v;
    }
}
