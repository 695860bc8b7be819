// rejected by: stays_in_bounds
// perhaps also: matches_numpy, loads_at_most, stores_at_most, has_no_races, shares_the_work
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    int rounds = ((n + decimate - 1) / decimate + stride - 1) / stride;
    for (int round = 0; round < rounds; ++round) {
        int i = first + round * stride;
        unsigned short source = i * decimate;               // n is at most 5000
        if (source < n)
            out[i] = in[source];
    }
}
