// finds: nothing
// launch: grid=2, block=64, args=[ramp(16), empty(512)]

// Sixteen lanes read the same four floats.
__global__ void shared_float4_broadcast(const float4* in, float4* out)
{
    __shared__ float4 tile[4];
    int t = threadIdx.x;

    if (t < 4) tile[t] = in[t];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t / 16];
}
