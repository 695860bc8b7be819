// Fills all of the tile: beyond the ends, with the nearest number of the row.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t + 1] = in[min(i, n - 1)];
    if (t == 0)
        tile[0] = in[max(i - 1, 0)];
    if (t == blockDim.x - 1)
        tile[t + 2] = in[min(i + 1, n - 1)];
    __syncthreads();
    if (i == 0 || i == n - 1)
        out[i] = tile[t + 1];
    else if (i < n)
        out[i] = 0.25f * (tile[t] + 2 * tile[t + 1] + tile[t + 2]);
}
