// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), empty(128)]

// The last thread reads the first word.
__global__ void shared_reversed(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    tile[t] = in[i];
    __syncthreads();
    out[i] = tile[63 - t];
}
