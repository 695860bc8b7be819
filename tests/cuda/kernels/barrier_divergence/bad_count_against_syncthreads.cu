// kernel: votes   grid: 1   block: 64
// args: out int32[64] poison
// expect: BarrierDivergence lines=1,2 scope=block exited=0 threads=64
__global__ void votes(int* out)
{
    int n = 0;
    if (threadIdx.x < 32) n = __syncthreads_count(1); // (1)
    else __syncthreads();                         // (2)
    out[threadIdx.x] = n;
}
