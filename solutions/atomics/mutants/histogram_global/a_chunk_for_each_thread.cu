// rejected by: is_coalesced
// perhaps also: shares_the_work
// "Each thread takes a piece in one go." Neighboring threads then read far apart.
// counts[b] = how many of the n values lie in bin b. All counts are 0 before the launch. The first bin begins at start.
__global__ void histogram_global(const int* values, int* counts, int n, int start, int width, int bins)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;

    int each = (n + stride - 1) / stride;
    for (int i = first * each; i < min(n, (first + 1) * each); ++i) {
        int from_start = values[i] - start;
        if (from_start >= 0 && from_start < bins * width)       // before the division, which rounds towards 0
            atomicAdd(&counts[from_start / width], 1);
    }
}
