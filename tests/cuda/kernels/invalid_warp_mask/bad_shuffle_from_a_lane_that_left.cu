// kernel: neighbors   grid: 1   block: 32
// args: in int32[32] random, out int32[32] zeros
// expect: InvalidWarpMask lines=1 lane=20 source=left mask=4294967295
__global__ void neighbors(const int* in, int* out)
{
    int t = threadIdx.x;
    if (t >= 20) return;
    int next = __shfl_down_sync(0xffffffffu, in[t], 1); // (1)
    out[t] = next;
}
