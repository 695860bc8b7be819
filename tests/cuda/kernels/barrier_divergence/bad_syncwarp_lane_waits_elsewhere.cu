// kernel: half   grid: 1   block: 32
// args: out int32[32] poison
// expect: BarrierDivergence lines=1,2 scope=warp threads=32
__global__ void half(int* out)
{
    if (threadIdx.x < 31) __syncwarp();           // (1)
    out[threadIdx.x] = 1;
    __syncthreads();                              // (2)
}
