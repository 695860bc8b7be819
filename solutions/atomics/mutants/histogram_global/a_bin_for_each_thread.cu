// rejected by: loads_at_most
// perhaps also: is_coalesced, shares_the_work
// "If each thread counts one bin, nobody meets anybody." Every value is read once for each bin.
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int b = first; b < bins; b += stride) {
        int low = start + b * width;
        for (int i = 0; i < n; ++i)
            if (values[i] >= low && values[i] < low + width)
                counts[b] += 1;
    }
}
