// finds: UninitializedRead
// launch: grid=3, block=64, args=[numbers('float32', 192), empty(192), 192], shared_mem=4 * (64 + 2)

// There is room for the halo, but nobody fetches it.
__global__ void heat_halo_forgotten(const float* in, float* out, int n)
{
    extern __shared__ float tile[];  // blockDim.x + 2 elements
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    if (i < n) tile[t + 1] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = 0.5f * tile[t + 1] + 0.25f * (tile[t] + tile[t + 2]);
}
