// line 2: half needs #include <cuda_fp16.h> at the top of the file
__global__ void to_half(const float* in, half* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}
