// kernel: divide   grid: 1   block: 32
// args: in int32[32] zeros, out int32[32] poison
// expect: Crash lines=1 reason='division by zero'
__global__ void divide(const int* in, int* out)
{
    out[threadIdx.x] = 100 / in[threadIdx.x];     // (1)
}
