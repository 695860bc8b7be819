// rejected by: shares_the_work
// "One thread of the grid does it all: then nobody comes in its way."
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i * decimate < n; ++i)
            out[i] = in[i * decimate];
}
