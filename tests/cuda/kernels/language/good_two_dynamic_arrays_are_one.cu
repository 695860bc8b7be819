// kernel: both   grid: 1   block: 64   shared_mem: 512
// args: in float32[64] arange, out float32[64] poison
// expect: nothing
// check: out == -np.roll(in_[::-1], -1) - in_[::-1]
__global__ void both(const float* in, float* out)
{
    extern __shared__ float a[];
    extern __shared__ float b[];
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = -in[63 - t];  // which is a[t]
    __syncthreads();
    out[t] = a[(t + 1) % 64] + b[t];
}
