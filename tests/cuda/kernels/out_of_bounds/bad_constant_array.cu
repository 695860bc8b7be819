// kernel: weigh   grid: 1   block: 8
// args: in float32[8] random, out float32[8] poison, n int32 5
// expect: OutOfBounds lines=1 array=weights index=5
__constant__ float weights[5];
__constant__ float others[5];
__device__ float dot(const float* w, const float* x, int n)
{
    float sum = 0.0f;
    for (int k = 0; k <= n; k++) sum += w[k] * x[k % 8]; // (1)
    return sum;
}
__global__ void weigh(const float* in, float* out, int n)
{
    out[threadIdx.x] = dot(weights, in, n) + others[0];
}
