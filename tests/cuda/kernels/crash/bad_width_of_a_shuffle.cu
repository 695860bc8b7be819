// kernel: sum   grid: 1   block: 32
// args: in int32[32] random, out int32[32] poison
// expect: Crash lines=1 reason="shuffle width"
__global__ void sum(const int* in, int* out)
{
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, in[threadIdx.x], 1, 24); // (1)
}
