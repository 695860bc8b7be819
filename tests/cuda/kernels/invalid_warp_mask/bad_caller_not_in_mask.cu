// kernel: low_half   grid: 1   block: 32
// args: out int32[32] poison
// expect: InvalidWarpMask lines=1 lane=16 mask=65535 thread=16,0,0
__global__ void low_half(int* out)
{
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 0); // (1)
}
