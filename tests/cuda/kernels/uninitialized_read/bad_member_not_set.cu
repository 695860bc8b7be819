// kernel: tilt   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=p.inner.y space=local
struct Point { float x, y; };
struct Line { int number; Point inner; };
__global__ void tilt(const float* in, float* out)
{
    Line p;
    p.inner.x = in[threadIdx.x];
    out[threadIdx.x] = p.inner.x + p.inner.y;  // (1)
}
