// kernel: waves   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: nothing
// check: out == np.sin(in_) + np.cos(in_) + np.sqrt(in_) + np.exp(-in_) + np.minimum(in_, 3)
__global__ void waves(const float* in, float* out)
{
    float x = in[threadIdx.x], s, c;
    sincosf(x, &s, &c);
    out[threadIdx.x] = s + c + sqrtf(x) + expf(-x) + fminf(x, 3.0f);
}
