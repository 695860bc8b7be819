// kernel: warp_sum   grid: 1   block: 32
// args: in float32[32] random, out float32[1] poison
// expect: Race lines=1,1 array=s hazard=read-after-write scope=warp
__global__ void warp_sum(const float* in, float* out)
{
    __shared__ volatile float s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2)
        // Lanes are not in lockstep since Volta, and volatile orders nothing.
        if (t < d) s[t] = s[t] + s[t + d];        // (1)
    __syncthreads();
    if (t == 0) out[0] = s[0];
}
