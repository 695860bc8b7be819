// finds: nothing
// launch: grid=2, block=64, args=[ramp(1024), empty(128)]

// The odd lanes read one word and the even lanes another, of the same bank.
__global__ void shared_two_words(const float* in, float* out)
{
    __shared__ float tile[1024];
    int t = threadIdx.x;

    for (int i = t; i < 1024; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t % 2 * 32];
}
