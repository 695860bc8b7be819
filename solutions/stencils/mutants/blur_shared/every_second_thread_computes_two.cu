// rejected by: shares_the_work
// "Two elements for each thread save work." Every second thread has nothing to compute.
// out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]); the two ends of the row are copied.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        tile[t + 1] = in[i];
    if (t == 0 && i > 0)
        tile[0] = in[i - 1];
    if (t == blockDim.x - 1 && i + 1 < n)
        tile[t + 2] = in[i + 1];
    __syncthreads();
    if (t % 2 == 0)
        for (int p = t; p < t + 2 && p < blockDim.x; ++p) {
            int j = i - t + p;
            if (j == 0 || j == n - 1)
                out[j] = tile[p + 1];
            else if (j < n)
                out[j] = 0.25f * (tile[p] + 2 * tile[p + 1] + tile[p + 2]);
        }
}
