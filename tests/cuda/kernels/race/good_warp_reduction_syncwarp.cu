// kernel: warp_sum   grid: 1   block: 64
// args: in float32[64] random, out float32[2] poison
// expect: nothing
// check: out == in_.reshape(2, 32).sum(axis=1)
__global__ void warp_sum(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[t];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d) s[t] += s[t + d];
        __syncwarp();
    }
    if (lane == 0) out[t / 32] = s[t];
}
