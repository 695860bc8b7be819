// kernel: forever   grid: 1   block: 32
// args: out int32[32] poison
// expect: StepLimit lines=1 reason=time
__global__ void forever(int* out)
{
    int i = 0;
    while (i >= 0) i = (i + 1) % 100;             // (1)
    out[threadIdx.x] = i;
}
