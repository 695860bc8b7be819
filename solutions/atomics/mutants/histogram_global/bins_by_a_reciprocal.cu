// rejected by: matches_numpy
// "One division does for all values." A width times its reciprocal may be less than 1, as 107 * (1.0 / 107) is.
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    const double per_bin = 1.0 / width;                 // one division for all values
    for (int at = first; at < n; at += stride) {
        int offset = values[at] - start;
        int bin = (int)(offset * per_bin);              // exact: a double has 53 bits, an int 32
        if (offset >= 0 && bin < bins)
            atomicAdd(&counts[bin], 1);
    }
}
