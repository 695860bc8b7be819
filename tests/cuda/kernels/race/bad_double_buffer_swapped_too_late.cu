// kernel: smooth   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison
// expect: Race lines=1,2 array=s
__global__ void smooth(const float* in, float* out)
{
    __shared__ float s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        // From the second round on, `from` is the buffer that is written: it was never swapped.
        float v = s[from][(t + 1) % 64];          // (1)
        s[r == 0 ? 1 - from : from][t] = v;       // (2)
        __syncthreads();
    }
    out[t] = s[from][t];
}
