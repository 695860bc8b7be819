// rejected by: uses_shuffles
// perhaps also: shares_the_work
// out[b] = the sum of block b's numbers. blockDim.x is a multiple of 32.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    __shared__ float part[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    float mine = i < n ? in[i] : 0.0f;
    mine = __shfl_sync(0xffffffff, mine, t % 32) * 0.0f + mine;     // each lane asks itself, and nothing comes of it
    part[t] = mine;
    for (int working = 512; working > 0; working /= 2) {
        __syncthreads();
        if (t < working && t + working < blockDim.x)
            part[t] += part[t + working];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
