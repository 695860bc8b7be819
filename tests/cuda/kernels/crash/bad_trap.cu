// kernel: stop   grid: 1   block: 32
// args: out int32[32] poison
// expect: Crash lines=1 reason='__trap()'
__global__ void stop(int* out)
{
    if (threadIdx.x == 3) __trap();               // (1)
    out[threadIdx.x] = 1;
}
