// rejected by: shares_the_work
// "A quarter of the threads, four times the numbers each." The others look on.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int zeros_of_mine = 0;
    if (threadIdx.x < blockDim.x / 4)
        for (int i = blockIdx.x * (blockDim.x / 4) + threadIdx.x; i < n; i += stride / 4)
            if (x[i] == 0)
                ++zeros_of_mine;
    if (zeros_of_mine > 0)
        atomicAdd(count, zeros_of_mine);
}
