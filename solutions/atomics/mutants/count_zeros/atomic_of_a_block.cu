// rejected by: has_no_races
// "The threads of a block are next to each other, so atomicAdd_block will do." There are other blocks.
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
        atomicAdd_block(count, zeros_of_mine);
}
