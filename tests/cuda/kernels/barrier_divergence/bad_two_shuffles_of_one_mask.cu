// kernel: exchange   grid: 1   block: 32
// args: in int32[32] random, out int32[32] poison
// expect: BarrierDivergence between=1,2 scope=warp threads=32 exited=0
__global__ void exchange(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (threadIdx.x < 16)
        v = __shfl_down_sync(0xffffffffu, v, 16); // (1)
    else
        v = __shfl_up_sync(0xffffffffu, v, 16);   // (2)
    out[threadIdx.x] = v;
}
