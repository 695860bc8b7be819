// finds: nothing
// launch: grid=2, block=128, args=[ramp(256), empty(2)]

// The upper half onto the lower half.
__global__ void reduce_sequential(const float* in, float* out)
{
    __shared__ float tile[128];
    int t = threadIdx.x;

    tile[t] = in[t + blockDim.x * blockIdx.x];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) tile[t] += tile[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}
