// rejected by: has_no_races
// perhaps also: matches_numpy
// "Adding one is one instruction." It is three.
// count[0] = how many of the n numbers in x are 0. It is 0 before the launch. Each thread adds to count at most once.
__global__ void count_zeros(const int* x, int* count, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride)
        if (x[i] == 0)
            count[0]++;
}
