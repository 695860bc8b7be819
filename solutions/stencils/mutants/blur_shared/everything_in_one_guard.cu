// rejected by: reaches_every_barrier
// perhaps also: matches_numpy
// "Only the inner numbers are blurred, so load, barrier and sum stand with them." The lecture has it so.
// out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]); the two ends of the row are copied.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];     // blockDim.x + 2 elements; tile[t + 1] belongs to thread t
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i > 0 && i < n - 1) {
        tile[t + 1] = in[i];
        if (t == 0 || i == 1)
            tile[t] = in[i - 1];
        if (t == blockDim.x - 1 || i == n - 2)
            tile[t + 2] = in[i + 1];
        __syncthreads();
        out[i] = 0.25f * (tile[t] + 2 * tile[t + 1] + tile[t + 2]);
    } else if (i < n) {
        out[i] = in[i];
    }
}
