// kernel: load   grid: 1   block: 32
// args: in float32[32] random, out float32[96] poison
// expect: nothing
// check: out == np.concatenate([in_ * 4, in_ + 1, in_ * 0 + 1])
__global__ void load(const float* __restrict__ in, float* out)
{
    int i = threadIdx.x;
    long long start = clock64();
    __stcg(&out[i], __ldg(&in[i]) + __ldca(&in[i]) + __ldcs(in + i) + __ldcv(in + i));
    __stwt(out + 32 + i, in[i] + 1);
    __nanosleep(20);
    out[64 + i] = clock64() >= start;
}
