// kernel: settle   grid: 1   block: 64
// args: in int32[64] arange, out int32[64] zeros
// expect: BarrierDivergence lines=1 scope=block exited=1 threads=64
__global__ void settle(const int* in, int* out)
{
    int left = in[threadIdx.x], rounds = 0;
    while (left > 0) {  // each thread stops for itself, not when all are done
        rounds++;
        left--;
        __syncthreads_or(left > 0);               // (1)
    }
    out[threadIdx.x] = rounds;
}
