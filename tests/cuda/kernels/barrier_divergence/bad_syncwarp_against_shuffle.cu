// kernel: mixed   grid: 1   block: 32
// args: out int32[32] poison
// expect: BarrierDivergence between=1,2 scope=warp threads=32
__global__ void mixed(int* out)
{
    int v = threadIdx.x;
    if (v < 8)
        __syncwarp();                             // (1)
    else
        v = __shfl_sync(0xffffffffu, v, 0);       // (2)
    out[threadIdx.x] = v;
}
