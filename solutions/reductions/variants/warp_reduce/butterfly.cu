// All lanes get the sum, by an exclusive or of their numbers; every warp works out the whole sum, and one stores it.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    extern __shared__ float of_warp[];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    float sum = i < n ? in[i] : 0.0f;
    for (int other = 1; other < 32; other *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, other);
    if (lane == 0)
        of_warp[t / 32] = sum;
    __syncthreads();

    sum = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
    for (int other = 1; other < 32; other *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, other);
    if (t == 0)
        out[blockIdx.x] = sum;
}
