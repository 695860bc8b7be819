// kernel: window   grid: 1   block: 8
// args: in float32[8] random, out float32[8] poison
// expect: OutOfBounds lines=1 space=local action=read
__device__ float last_of(const float* end, int back)
{
    return end[-back];                            // (1)
}
__global__ void window(const float* in, float* out)
{
    float before[4], taps[4], after[4];
    for (int k = 0; k < 4; k++) before[k] = taps[k] = after[k] = in[k];
    out[threadIdx.x] = last_of(taps + 4, 5) + before[0] + after[0];
}
