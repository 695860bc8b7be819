// finds: nothing
// launch: grid=2, block=64, args=[ramp(1024), ramp(128)]

// Every other lane reads, each a word of the same bank.
__global__ void shared_half_the_lanes(const float* in, float* out)
{
    __shared__ float tile[1024];
    int t = threadIdx.x;

    for (int i = t; i < 1024; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    if (t % 2 == 0)
        out[t + blockDim.x * blockIdx.x] = tile[t * 16];
}
