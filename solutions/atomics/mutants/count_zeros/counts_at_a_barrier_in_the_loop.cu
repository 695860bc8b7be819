// rejected by: reaches_every_barrier
// "__syncthreads_count adds up for the whole block." Not in a loop that its threads leave in different rounds.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    // __syncthreads_count tells every thread how many threads of the block have found a zero,
    // so that a single thread can do the only atomic operation of its block.
    int block_zeros = 0;
    for (int i = first; i < n; i += stride)
        block_zeros += __syncthreads_count(x[i] == 0);
    if (threadIdx.x == 0 && block_zeros > 0)
        atomicAdd(count, block_zeros);
}
