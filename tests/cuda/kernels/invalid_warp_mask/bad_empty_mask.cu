// kernel: sum   grid: 1   block: 32
// args: out int32[32] zeros
// expect: InvalidWarpMask lines=1 lane=0 mask=0
__global__ void sum(int* out)
{
    unsigned mask = 0;
    out[threadIdx.x] = __shfl_down_sync(mask, threadIdx.x, 1); // (1)
}
