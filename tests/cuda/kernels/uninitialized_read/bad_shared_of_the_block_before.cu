// kernel: rounds   grid: 2   block: 32
// args: out int32[64] poison
// expect: UninitializedRead lines=1 array=s space=shared block=1,0,0 count=32
__global__ void rounds(int* out)
{
    __shared__ int s[32];
    if (blockIdx.x == 0) s[threadIdx.x] = 5;  // each block has a shared memory of its own
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; // (1)
}
