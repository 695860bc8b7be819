// kernel: softmax   grid: 4   block: 64
// args: in float32[4x64] random, out float32[4x64] poison
// expect: nothing
// check: out == np.exp(in_ - in_.max(axis=1, keepdims=True)) / np.exp(in_ - in_.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
__global__ void softmax(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float v = in[i];
    s[t] = v;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    float most = s[0];
    __syncthreads();  // all have read s[0] before the same array takes the sums
    v = expf(v - most);
    s[t] = v;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    out[i] = v / s[0];
}
