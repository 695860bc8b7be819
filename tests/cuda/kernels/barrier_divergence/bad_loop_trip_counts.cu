// kernel: rounds   grid: 1   block: 32
// args: out int32[32] poison
// expect: BarrierDivergence lines=1 scope=block threads=32 exited=8
__global__ void rounds(int* out)
{
    int n = threadIdx.x < 8 ? 2 : 3;
    for (int r = 0; r < n; r++)
        __syncthreads();                          // (1)
    out[threadIdx.x] = n;
}
