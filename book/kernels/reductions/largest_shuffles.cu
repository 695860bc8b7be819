// finds: nothing
// launch: grid=1, block=128, args=[ramp(128), empty(1), 128]

// The largest of each block's elements, by shuffles. blockDim.x is a power of 2, from 32 up.
__global__ void largest_shuffles(const float* in, float* out, int n)
{
    __shared__ float of_warp[32];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;
    float most = i < n ? in[i] : -INFINITY;

    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    if (t % 32 == 0) of_warp[t / 32] = most;  // all lanes know the same
    __syncthreads();                          // the largest of each warp is there
    for (int w = 0; w < blockDim.x / 32; ++w) most = fmaxf(most, of_warp[w]);
    if (t == 0) out[blockIdx.x] = most;
}
