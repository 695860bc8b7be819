// rejected by: matches_numpy
// "Each thread has its element, as always." Here there are fewer threads than elements.
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    int kept = (n + decimate - 1) / decimate;
    int i = first;
    if (i < kept)
        out[i] = in[i * decimate];
}
