// rejected by: is_coalesced
// perhaps also: shares_the_work
// "Each thread takes a piece in one go." Neighboring threads then read far apart.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int zeros_of_mine = 0;
    int each = (n + stride - 1) / stride;
    for (int i = first * each; i < min(n, (first + 1) * each); ++i)
        if (x[i] == 0)
            ++zeros_of_mine;    // a variable of this thread alone: nobody else can come between
    if (zeros_of_mine > 0)
        atomicAdd(count, zeros_of_mine);
}
