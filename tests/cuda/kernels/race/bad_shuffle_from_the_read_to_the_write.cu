// kernel: largest   grid: 1   block: 32
// args: x float32[32] arange
// expect: Race lines=1,2 array=s hazard=write-after-read scope=warp
// Each written value depends on all reads, by shuffles. But in PTX's model, these order no memory.
__global__ void largest(float* x)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    float most = s[31 - t];  // (1)
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
    s[t] = most;  // (2)
    __syncwarp();
    x[t] = s[31 - t];
}
