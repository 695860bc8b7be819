// rejected by: is_coalesced
// perhaps also: shares_the_work
// "Each thread takes a piece of its own, so it walks through memory in order." A warp does not.
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    int kept = (n + decimate - 1) / decimate;
    int share = (kept + stride - 1) / stride;
    for (int i = first * share; i < min(kept, (first + 1) * share); ++i)
        out[i] = in[i * decimate];
}
