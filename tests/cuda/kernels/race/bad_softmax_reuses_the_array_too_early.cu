// kernel: softmax   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: Race lines=1,2 array=s index=0 hazard=write-after-read
__global__ void softmax(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = in[t];
    s[t] = v;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    float most = s[0];                            // (1)
    // Missing: a barrier. Thread 0 may overwrite s[0] before the others have read it.
    s[t] = expf(v - most);                        // (2)
    __syncthreads();
    out[t] = s[63 - t];
}
