// kernel: window   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison, n int32 5
// expect: OutOfBounds lines=1 array=taps space=local extent=4
__global__ void window(const float* in, float* out, int n)
{
    float taps[4], sum = 0.0f;
    for (int k = 0; k < n; k++) taps[k] = in[(threadIdx.x + k) % 32]; // (1)
    for (int k = 0; k < 4; k++) sum += taps[k];
    out[threadIdx.x] = sum;
}
