// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    if (threadIdx.x > 0)
        return;
    int zeros = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
        zeros += x[i] == 0;
    atomicAdd(count, zeros);
}
