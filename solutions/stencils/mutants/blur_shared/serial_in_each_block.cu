// rejected by: shares_the_work
// "One thread of each block does it all: then nobody comes in its way."
// out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]); the two ends of the row are copied.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];     // blockDim.x + 2 elements; tile[j] belongs to number first - 1 + j
    int first = blockIdx.x * blockDim.x;

    if (threadIdx.x > 0)
        return;
    for (int j = 0; j < blockDim.x + 2; ++j)
        if (first - 1 + j >= 0 && first - 1 + j < n)
            tile[j] = in[first - 1 + j];
    for (int j = 1; j <= blockDim.x; ++j) {
        int i = first - 1 + j;
        if (i == 0 || i == n - 1)
            out[i] = tile[j];
        else if (i < n)
            out[i] = 0.25f * (tile[j - 1] + 2 * tile[j] + tile[j + 1]);
    }
}
