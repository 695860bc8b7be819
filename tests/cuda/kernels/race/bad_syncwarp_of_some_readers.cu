// kernel: hand_on   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: Race lines=1,2 array=s hazard=write-after-read scope=warp
__global__ void hand_on(const float* in, float* out)
{
    __shared__ float s[1];
    int t = threadIdx.x;
    if (t == 0) s[0] = in[0];
    __syncwarp();
    out[t] = s[0];                                // (1)
    // Lanes 8 to 15 are left out, and may still be reading.
    if (t < 8 || t >= 16) __syncwarp(0xffff00ffu);
    if (t == 0) s[0] = 0;                         // (2)
}
