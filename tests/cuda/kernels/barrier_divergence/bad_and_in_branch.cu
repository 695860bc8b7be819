// kernel: votes   grid: 1   block: 64
// args: in int32[64] arange, out int32[64] zeros
// expect: BarrierDivergence lines=1 scope=block exited=14 threads=64
__global__ void votes(const int* in, int* out)
{
    int t = threadIdx.x;
    if (in[t] < 50) out[t] = __syncthreads_and(in[t] < 49); // (1)
}
