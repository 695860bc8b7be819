%%cuda blur_shared
// out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]); the two ends of the row are copied.
__global__ void blur_shared(const float* in, float* out, int n)
{
    extern __shared__ float tile[];     // blockDim.x + 2 elements; tile[t + 1] belongs to thread t
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    // 1. Load this thread's number, if it has one, and the two numbers beside the block, where there are such.
    if (i < n) tile[t + 1] = in[i];
    __syncthreads();

    // 2. Compute this thread's element of out, if it has one.
    if (i == 0 || i == n - 1)
        out[i] = tile[t + 1];
    else if (i < n)
        out[i] = 0.25f * (tile[t] + 2 * tile[t + 1] + tile[t + 2]);
}
