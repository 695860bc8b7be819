// kernel: choose   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: nothing
// check: out == np.where(np.arange(32) % 2, in_ + 1, in_ * 2)
__device__ float twice(float x) { return 2 * x; }
__device__ float next(float x) { return x + 1; }
__global__ void choose(const float* in, float* out)
{
    float (*f)(float) = threadIdx.x % 2 ? next : twice;
    out[threadIdx.x] = f(in[threadIdx.x]);
}
