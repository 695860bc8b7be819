// rejected by: has_no_races
// perhaps also: loads_at_most, shares_the_work, stores_at_most
// "A block begins at element 0."
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    int kept = (n + decimate - 1) / decimate;
    for (int i = threadIdx.x; i < kept; i += blockDim.x)
        out[i] = in[i * decimate];
}
