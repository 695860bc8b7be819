// kernel: copy   grid: 2   block: 32
// args: in float32[256] random, out float32[256] poison, n int32 64
// expect: nothing
// check: out == in_
__global__ void copy(const float4* in, float4* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
