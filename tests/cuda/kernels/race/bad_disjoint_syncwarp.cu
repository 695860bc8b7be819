// kernel: halves   grid: 1   block: 32
// args: out int32[32] poison
// expect: Race lines=1,2 array=s hazard=read-after-write scope=warp count=32
__global__ void halves(int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;                                     // (1)
    // Each half orders itself; nothing orders one half with the other.
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    out[t] = s[t ^ 16];                           // (2)
}
