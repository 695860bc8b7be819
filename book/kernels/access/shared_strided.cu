// finds: nothing
// launch: for stride in (1, 2, 3, 4, 8, 16, 31, 32, 33): grid=2, block=64, args=[ramp(1024), empty(128), stride]

// Neighboring threads read words of shared memory that are `stride` apart.
__global__ void shared_strided(const float* in, float* out, int stride)
{
    __shared__ float tile[1024];
    int t = threadIdx.x;

    for (int i = t; i < 1024; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t * stride % 1024];
}
