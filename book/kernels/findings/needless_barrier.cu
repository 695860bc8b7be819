// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), zeros("float32", 64)]

// out has the 64 numbers of in, the last one first.
__global__ void reverse(const float* in, float* out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
    __syncthreads();
}
