// rejected by: uses_shuffles
// perhaps also: does_without_atomics
// "One atomic addition each." No lane hands anything to another one.
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];      // blockDim.x / 32 elements: the sum of each warp
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t == 0)
        of_warp[0] = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&of_warp[0], in[i]);
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = of_warp[0];
}
