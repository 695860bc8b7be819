// rejected by: global_atomics_at_most
// perhaps also: shares_the_work
// All threads together add no more often than there are threads. But one thread of each block makes all the additions.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    __shared__ int found[1024];
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    int mine = 0;
    for (int i = first; i < n; i += stride)
        mine += x[i] == 0;
    found[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        for (int t = 0; t < blockDim.x; ++t)
            atomicAdd(count, found[t]);
}
