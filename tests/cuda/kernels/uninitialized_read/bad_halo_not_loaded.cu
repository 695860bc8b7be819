// kernel: blur   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=s index=0 count=2
__global__ void blur(const float* in, float* out)
{
    __shared__ float s[34];
    int at = threadIdx.x + 1;
    s[at] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[at - 1] + s[at] + s[at + 1]; // (1)
}
