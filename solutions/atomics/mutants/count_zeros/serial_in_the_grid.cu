// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    int zeros = 0;
    for (int i = 0; i < n; ++i)
        zeros += x[i] == 0;
    count[0] = zeros;
}
