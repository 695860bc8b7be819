// kernel: reverse   grid: 1   block: 64   shared_mem: 512
// args: in float32[64] random, out float32[64] poison
// expect: Race between=1,2 hazard=read-after-write scope=block count=64
__global__ void reverse(const float* in, float* out)
{
    extern __shared__ float a[];
    extern __shared__ float b[];
    int t = threadIdx.x;
    a[t] = in[t];                                 // (1)
    out[t] = b[63 - t];                           // (2)
}
