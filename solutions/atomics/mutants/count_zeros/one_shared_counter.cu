// rejected by: has_no_races
// perhaps also: matches_numpy
// "A counter in shared memory is faster", and ++ loses there as well.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    __shared__ int zeros_here;
    if (threadIdx.x == 0)
        zeros_here = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (x[i] == 0)
            zeros_here++;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(count, zeros_here);
}
