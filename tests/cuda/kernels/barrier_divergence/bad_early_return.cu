// kernel: guarded   grid: 2   block: 64
// args: in float32[84] random, out float32[84] poison, n int32 84
// expect: BarrierDivergence lines=1 scope=block exited=44 threads=64 block=1,0,0
__global__ void guarded(const float* in, float* out, int n)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = in[i];
    __syncthreads();                              // (1)
    out[i] = s[threadIdx.x];
}
