// rejected by: stays_in_bounds
// perhaps also: matches_numpy
// "Count from 0 to n."
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int zeros_of_mine = 0;
    for (int i = first; i <= n; i += stride)
        if (x[i] == 0)
            ++zeros_of_mine;    // a variable of this thread alone: nobody else can come between
    if (zeros_of_mine > 0)
        atomicAdd(count, zeros_of_mine);
}
