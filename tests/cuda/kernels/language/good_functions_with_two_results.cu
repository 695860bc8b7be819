// kernel: two   grid: 1   block: 32
// args: in float32[32] arange, out float32[256] poison, whole int32[64] poison
// expect: nothing
// check: out == (lambda x: np.concatenate([np.sin(x), np.cos(x), np.sin(np.pi * x / 4), np.cos(np.pi * x / 4) + 0 * x, x % 1, x // 1, np.frexp(x)[0], np.array([__import__("math").remainder(v, 0.75) for v in x])]))(in_.astype(np.float64) / 4 + 0.125)
// check: whole == (lambda x: np.concatenate([np.frexp(x)[1], np.array([round((v - __import__("math").remainder(v, 0.75)) / 0.75) % 8 for v in x])]))(in_ / 4 + 0.125)
__global__ void two(const float* in, float* out, int* whole)
{
    __shared__ float sines[32], cosines[32];
    int t = threadIdx.x;
    float x = in[t] / 4 + 0.125f;
    sincosf(x, &sines[t], &cosines[t]);
    out[t] = sines[t];
    out[32 + t] = cosines[t];
    sincospif(x / 4, &out[64 + t], &out[96 + t]);
    out[128 + t] = modff(x, &out[160 + t]);
    out[192 + t] = frexpf(x, &whole[t]);
    int quotient;
    out[224 + t] = remquof(x, 0.75f, &quotient);
    whole[32 + t] = quotient & 7;
}
