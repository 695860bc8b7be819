// rejected by: stays_in_bounds
// perhaps also: loads_at_most, stores_at_most, matches_numpy
// "All threads make the same number of rounds." In the last one some have no element.
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    int kept = (n + decimate - 1) / decimate;
    for (int i = first, round = 0; round < (kept + stride - 1) / stride; i += stride, ++round)
        out[i] = in[i * decimate];
}
