// finds: nothing
// launch: grid=4, block=256, args=[numbers('int32', 1000), zeros('int32', 1), 1000]

// The sum of n numbers: each block adds to the total once.
__global__ void sum_blocks(const int* in, int* total, int n)
{
    __shared__ int of_block;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();  // the counter is 0
    int sum = i < n ? in[i] : 0;
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, far);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&of_block, sum);
    __syncthreads();  // all warps have added
    if (threadIdx.x == 0)
        atomicAdd(total, of_block);
}
