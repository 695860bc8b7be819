// rejected by: loads_at_most
// perhaps also: is_coalesced
// "Global memory has a cache." Each read asks it again.
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride) {
        if (values[i] >= start && values[i] < start + bins * width)
            atomicAdd(&counts[(values[i] - start) / width], 1);
    }
}
