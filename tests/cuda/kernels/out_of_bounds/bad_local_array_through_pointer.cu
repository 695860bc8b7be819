// kernel: window   grid: 1   block: 8
// args: in float32[8] random, out float32[8] poison, n int32 5
// expect: OutOfBounds lines=1 space=local action=write
__device__ void gather(float* to, const float* from, int n)
{
    for (int k = 0; k < n; k++) to[k] = from[(threadIdx.x + k) % 8]; // (1)
}
__global__ void window(const float* in, float* out, int n)
{
    float taps[4] = {}, others[4] = {};
    gather(others, in, 4);
    gather(taps, in, n);
    out[threadIdx.x] = taps[0] + taps[3] + others[0];
}
