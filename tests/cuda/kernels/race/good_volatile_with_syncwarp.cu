// kernel: warp_sum   grid: 1   block: 32
// args: in float32[32] random, out float32[1] poison
// expect: nothing
// check: out == [in_.sum()]
__global__ void warp_sum(const float* in, float* out)
{
    __shared__ volatile float s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        float v = t < d ? s[t + d] : 0.0f;
        __syncwarp();
        s[t] = s[t] + v;
        __syncwarp();
    }
    if (t == 0) out[0] = s[0];
}
