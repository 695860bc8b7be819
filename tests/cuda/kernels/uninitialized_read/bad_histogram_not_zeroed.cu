// kernel: histogram   grid: 2   block: 64
// args: in uint8[128] random, hist uint32[64] zeros
// expect: UninitializedRead lines=1 array=local
// expect: UninitializedRead lines=2 array=local
__global__ void histogram(const unsigned char* in, unsigned* hist)
{
    __shared__ unsigned local[64];
    atomicAdd(&local[in[blockIdx.x * 64 + threadIdx.x]], 1u); // (1)
    __syncthreads();
    atomicAdd(&hist[threadIdx.x], local[threadIdx.x]); // (2)
}
