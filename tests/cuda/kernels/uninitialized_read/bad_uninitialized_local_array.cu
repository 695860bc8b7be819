// kernel: window   grid: 1   block: 8
// args: in float32[8] random, out float32[8] poison, n int32 3
// expect: UninitializedRead lines=1 space=local
__global__ void window(const float* in, float* out, int n)
{
    float taps[4];
    for (int k = 0; k < n; k++) taps[k] = in[(threadIdx.x + k) % 8];
    float sum = 0.0f;
    for (int k = 0; k <= n; k++) sum += taps[k];  // (1)
    out[threadIdx.x] = sum;
}
