// rejected by: shares_the_work
// "One thread loads the tile, so that none is forgotten. Computing is for all."
// out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]); the two ends of the row are copied.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];     // blockDim.x + 2 elements; tile[t + 1] belongs to thread t
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t == 0)
        for (int j = 0; j < blockDim.x + 2; ++j)
            if (i - 1 + j >= 0 && i - 1 + j < n)
                tile[j] = in[i - 1 + j];
    __syncthreads();

    if (i == 0 || i == n - 1)
        out[i] = tile[t + 1];
    else if (i < n)
        out[i] = 0.25f * (tile[t] + 2 * tile[t + 1] + tile[t + 2]);
}
