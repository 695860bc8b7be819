// kernel: histogram   grid: 3   block: 96
// args: in uint8[1000] random, hist uint32[256] zeros, n int32 1000
// expect: nothing
// check: hist == np.bincount(in_, minlength=256)
__global__ void histogram(const unsigned char* in, unsigned* hist, int n)
{
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&hist[b], local[b]);
}
