// rejected by: matches_numpy
// perhaps also: global_atomics_at_most
// "Pass it on as soon as there is something." The old zeros are passed on again.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int zeros_of_mine = 0;
    for (int i = first; i < n; i += stride)
        if (x[i] == 0)
            atomicAdd(count, ++zeros_of_mine);
}
