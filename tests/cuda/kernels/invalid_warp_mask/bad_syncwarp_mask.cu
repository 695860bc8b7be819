// kernel: even   grid: 1   block: 32
// args: out int32[32] poison
// expect: InvalidWarpMask lines=1 lane=1 mask=1431655765
__global__ void even(int* out)
{
    __syncwarp(0x55555555u);                      // (1)
    out[threadIdx.x] = 0;
}
