// kernel: map   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison, shift float32 2
// expect: nothing
// check: out == in_ * in_ + 2
template <typename F> __device__ void apply(const float* in, float* out, F f)
{
    out[threadIdx.x] = f(in[threadIdx.x]);
}
__global__ void map(const float* in, float* out, float shift)
{
    apply(in, out, [=](float x) { return x * x + shift; });
}
