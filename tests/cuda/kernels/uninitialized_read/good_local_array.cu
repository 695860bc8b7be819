// kernel: window   grid: 1   block: 8
// args: in float32[8] random, out float32[8] poison, n int32 3
// expect: nothing
// check: out == in_ + np.roll(in_, -1) + np.roll(in_, -2)
__device__ void gather(float* to, const float* from, int n)
{
    for (int k = 0; k < n; k++) to[k] = from[(threadIdx.x + k) % 8];
}
__global__ void window(const float* in, float* out, int n)
{
    float taps[4];
    gather(taps, in, n);  // three of four, through a pointer
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += taps[k];
    out[threadIdx.x] = sum;
}
