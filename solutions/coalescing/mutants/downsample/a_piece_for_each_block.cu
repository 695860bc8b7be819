// rejected by: shares_the_work
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int kept = (n + decimate - 1) / decimate;
    int each = (kept + gridDim.x - 1) / gridDim.x;          // a piece of out for each block
    int begin = blockIdx.x * each;
    int end = min(begin + each, kept);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
        out[i] = in[i * decimate];
}
