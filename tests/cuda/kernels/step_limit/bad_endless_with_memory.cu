// kernel: forever   grid: 1   block: 1
// args: out int32[32] zeros
// expect: StepLimit lines=1 reason=steps
__global__ void forever(int* out)
{
    for (int i = 0; i < 32; i++)
        out[i--] = 1;                             // (1)
}
