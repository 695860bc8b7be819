// finds: nothing
// launch: grid=2, block=64, args=[ramp(1024), shuffled(1024), empty(128)]

// Each thread reads a word anywhere.
__global__ void shared_random(const float* in, const int* from, float* out)
{
    __shared__ float tile[1024];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    for (int i = t; i < 1024; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[i] = tile[from[i]];
}
