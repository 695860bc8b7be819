%%cuda histogram_global
// counts[b] += how many of the n values lie in bin b. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int b = first; b < bins; b += stride)
        for (int i = 0; i < n; i++)
            if ((values[i] - start) / width == b)
                counts[b]++;
}
