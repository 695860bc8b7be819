// finds: nothing
// launch: grid=2, block=128, args=[ramp(256), empty(2)]

// Neighbors first with the threads moved together: bank conflicts.
__global__ void reduce_interleaved_dense(const float* in, float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    tile[t] = in[t + blockDim.x * blockIdx.x];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int i = 2 * step * t;
        if (i < 128) tile[i] += tile[i + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}
