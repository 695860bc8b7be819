// kernel: smooth   grid: 1   block: 64
// args: in float32[64] random, out float32[64] poison, rounds int32 5
// expect: nothing
__global__ void smooth(const float* in, float* out, int rounds)
{
    __shared__ float s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        // One barrier a round is enough: this round's writes go to the other buffer.
        s[1 - from][t] = 0.5f * (s[from][t] + s[from][(t + 1) % 64]);
        from = 1 - from;
        __syncthreads();
    }
    out[t] = s[from][t];
}
