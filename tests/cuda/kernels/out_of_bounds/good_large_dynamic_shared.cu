// kernel: reverse   grid: 1   block: 1024   shared_mem: 98304
// args: in float32[24576] arange, out float32[24576] poison
// expect: nothing
// check: out == in_[::-1]
__global__ void reverse(const float* in, float* out)
{
    extern __shared__ float s[];  // 96 KB: more than an array of fixed size may have
    for (int i = threadIdx.x; i < 24576; i += 1024) s[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < 24576; i += 1024) out[i] = s[24575 - i];
}
