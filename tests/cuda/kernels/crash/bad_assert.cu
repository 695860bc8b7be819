// kernel: checked   grid: 1   block: 32
// args: out int32[32] poison
// expect: Crash lines=1 reason='assertion failed: threadIdx.x < 20' thread=20,0,0
__global__ void checked(int* out)
{
    assert(threadIdx.x < 20);                     // (1)
    out[threadIdx.x] = 1;
}
