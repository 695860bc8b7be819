// kernel: total   grid: 1   block: 32
// args: in int32[32] arange, out int32[1] poison
// expect: Race lines=1,2 array=sum hazard=read-after-write scope=warp atomic=True
__global__ void total(const int* in, int* out)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0) sum = 0;
    __syncwarp();
    atomicAdd(&sum, in[t]);                       // (1)
    // Lanes 8 to 15 are left out.
    if (t < 8 || t >= 16) __syncwarp(0xffff00ffu);
    if (t == 0) out[0] = sum;                     // (2)
}
