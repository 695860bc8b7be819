// finds: nothing
// launch: grid=2, block=128, args=[ramp(256), empty(2)]

// Neighbors first: the lanes that add lie far apart.
__global__ void reduce_interleaved(const float* in, float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    tile[t] = in[t + blockDim.x * blockIdx.x];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        if (t % (2 * step) == 0) tile[t] += tile[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}
