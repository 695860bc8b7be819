%%cuda histogram_global
// counts[b] += how many of the n values lie in bin b. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    for (int i = first; i < n; i += stride)
        counts[(values[i] - start) / width]++;
}
