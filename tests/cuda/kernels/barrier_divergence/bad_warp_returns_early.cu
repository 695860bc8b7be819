// kernel: first_warp   grid: 1   block: 96
// args: out int32[96] zeros
// expect: BarrierDivergence lines=1 scope=block exited=64 threads=96
__global__ void first_warp(int* out)
{
    if (threadIdx.x / 32 > 0) return;
    out[threadIdx.x] = 1;
    __syncthreads();                              // (1)
}
