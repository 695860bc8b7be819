%%cuda downsample
// out[i] = in[i * decimate], for all i with i * decimate < n. The threads of the grid share the elements of out.
__global__ void downsample(const float* in, float* out, int n, int decimate)
{
    int stride = gridDim.x * blockDim.x;                    // how many threads there are
    int first = blockIdx.x * blockDim.x + threadIdx.x;      // which of them this is

    for (int i = first; i < n; i += stride)
        if (i % decimate == 0)
            out[i / decimate] = in[i];
}
