// kernel: talk   grid: 1   block: 32
// args: n int32 1000000
// expect: StepLimit lines=1 reason=output
__global__ void talk(int n)
{
    for (int i = 0; i < n; i++)
        printf("thread %d says %d\n", threadIdx.x, i); // (1)
}
