// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (int i = 0; i < n; ++i) {
        int from_start = values[i] - start;
        if (from_start >= 0 && from_start < bins * width)
            ++counts[from_start / width];
    }
}
