// rejected by: has_no_races
// perhaps also: matches_numpy, is_coalesced
// "The threads have different values, so they do not meet."
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride) {
        int from_start = values[i] - start;
        if (from_start >= 0 && from_start < bins * width)       // before the division, which rounds towards 0
            counts[from_start / width]++;
    }
}
