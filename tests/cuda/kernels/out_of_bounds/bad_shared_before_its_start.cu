// kernel: blur   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: OutOfBounds lines=1 array=s index=-1 space=shared
__global__ void blur(const float* in, float* out)
{
    __shared__ float before[32];
    __shared__ float s[32];
    int t = threadIdx.x;
    before[t] = 0.0f;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t - 1] + s[t] + before[t];         // (1)
}
