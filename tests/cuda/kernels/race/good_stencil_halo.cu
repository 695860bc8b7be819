// kernel: blur   grid: 4   block: 32
// args: in float32[100] random, out float32[100] poison, n int32 100
// expect: nothing
// check: out == np.convolve(in_, np.ones(5), "same")
#define RADIUS 2
__global__ void blur(const float* in, float* out, int n)
{
    __shared__ float s[32 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
    s[at] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        s[at - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
        s[at + 32] = i + 32 < n ? in[i + 32] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; d++) sum += s[at + d];
    out[i] = sum;
}
