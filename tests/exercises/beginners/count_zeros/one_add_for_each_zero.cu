%%cuda count_zeros
// count[0] += how many of the n numbers in x are 0. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride)
        if (x[i] == 0)
            atomicAdd(count, 1);
}
