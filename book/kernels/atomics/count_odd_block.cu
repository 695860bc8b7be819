// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), 128]

// Counts the odd elements: one thread goes to the counter for its whole
// block.
__global__ void count_odd(const int* in, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int odd = __syncthreads_count(i < n && in[i] % 2 != 0);  // of the block

    if (threadIdx.x == 0 && odd > 0) atomicAdd(count, odd);
}
