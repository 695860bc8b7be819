// finds: OutOfBounds
// launch: grid=3, block=64, args=[numbers('float32', 192), empty(192), 192], shared_mem=4 * 64

// The tile holds the block's own elements and no more.
__global__ void heat_no_halo(const float* in, float* out, int n)
{
    extern __shared__ float tile[];  // blockDim.x elements
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    if (i < n) tile[t] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = 0.5f * tile[t] + 0.25f * (tile[t - 1] + tile[t + 1]);
}
