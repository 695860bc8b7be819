// kernel: sum   grid: 1   block: 32
// args: in int32[32] random, out int32[32] poison
// expect: BarrierDivergence lines=1,2 threads=32
__global__ void sum(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (threadIdx.x < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1);  // (1)
    out[threadIdx.x] = v;
    __syncthreads();                              // (2)
}
