// kernel: histogram   grid: 2   block: 64
// args: in uint8[128] random, hist uint32[64] zeros
// expect: Race lines=1,1 array=hist scope=grid hazard=write-after-read
// expect: Race lines=1,1 array=hist scope=grid hazard=write-after-write
__global__ void histogram(const unsigned char* in, unsigned* hist)
{
    __shared__ unsigned local[64];
    int t = threadIdx.x;
    local[t] = 0;
    __syncthreads();
    atomicAdd(&local[in[blockIdx.x * 64 + t]], 1u);
    __syncthreads();
    hist[t] += local[t];                          // (1)
}
