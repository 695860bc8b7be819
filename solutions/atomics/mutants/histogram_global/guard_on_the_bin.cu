// rejected by: matches_numpy
// "Compute the bin, then see whether there is such a bin." Just below start the division gives bin 0.
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride) {
        int bin = (values[i] - start) / width;
        if (bin >= 0 && bin < bins)
            atomicAdd(&counts[bin], 1);
    }
}
