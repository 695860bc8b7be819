// rejected by: shares_the_work
// perhaps also: keeps_what_is_given
// "One thread of each block does it all: then nobody comes in its way."
// Each block adds to every number its two neighbors in the block, twice.
__global__ void add_neighbors_twice(const int* in, int* out, int n)
{
    extern __shared__ int row[];
    int first = blockIdx.x * blockDim.x, count = blockDim.x;
    if (threadIdx.x > 0)
        return;
    for (int j = 0; j < count; ++j)
        row[j] = first + j < n ? in[first + j] : 0;
    for (int round = 0; round < 2; ++round) {
        int before = 0;
        for (int j = 0; j < count; ++j) {
            int own = row[j];
            row[j] = before + own + (j + 1 < count ? row[j + 1] : 0);
            before = own;
        }
    }
    for (int j = 0; j < count && first + j < n; ++j)
        out[first + j] = row[j];
}
