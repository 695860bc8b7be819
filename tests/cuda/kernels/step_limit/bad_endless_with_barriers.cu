// kernel: forever   grid: 1   block: 32
// args: out int32[32] zeros, n int32 3
// expect: StepLimit lines=1 reason=steps
__global__ void forever(int* out, int n)
{
    for (int d = 1; d > 0; d = d % 4 + 1) {
        if (threadIdx.x < d) out[threadIdx.x] += n;
        __syncthreads();                          // (1)
    }
}
