// rejected by: has_no_races
// perhaps also: matches_numpy
// "An atomic write is enough." The sum was made before it.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int zeros_of_mine = 0;
    for (int i = first; i < n; i += stride)
        if (x[i] == 0)
            ++zeros_of_mine;    // a variable of this thread alone: nobody else can come between
    if (zeros_of_mine > 0)
        atomicExch(count, count[0] + zeros_of_mine);
}
