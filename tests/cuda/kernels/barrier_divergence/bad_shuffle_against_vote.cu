// kernel: mixed   grid: 1   block: 64
// args: in int32[64] random, out int32[64] poison
// expect: BarrierDivergence between=1,2 scope=warp threads=32 exited=0
__global__ void mixed(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (threadIdx.x >= 32) {                      // the first warp is well
        if (v % 2)
            v = __shfl_xor_sync(0xffffffffu, v, 1); // (1)
        else
            v = __any_sync(0xffffffffu, v > 9);   // (2)
    }
    __syncthreads();
    out[threadIdx.x] = v;
}
