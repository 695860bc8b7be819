// finds: nothing
// launch: for stride in (2, 3, 4, 16): grid=2, block=64, args=[ramp(128), empty(128), stride]

// Neighboring threads write words of shared memory that are `stride` apart.
__global__ void shared_store_strided(const float* in, float* out, int stride)
{
    __shared__ float tile[1024];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    tile[t * stride] = in[i];
    __syncthreads();
    out[i] = tile[t / 2 * 2 * stride] + 1.0f;
}
