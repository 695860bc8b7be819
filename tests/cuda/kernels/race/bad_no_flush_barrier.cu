// kernel: histogram   grid: 1   block: 64
// args: in uint8[64] random, hist uint32[64] zeros
// expect: Race lines=1,2 array=local hazard=read-after-write atomic=True
__global__ void histogram(const unsigned char* in, unsigned* hist)
{
    __shared__ unsigned local[64];
    int t = threadIdx.x;
    local[t] = 0;
    __syncthreads();
    atomicAdd(&local[in[t]], 1u);                 // (1)
    atomicAdd(&hist[t], local[t]);                // (2)
}
