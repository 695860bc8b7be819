// finds: nothing
// launch: for stride in (1, 2, 3, 8): grid=2, block=64, args=[numbers('float32', 2048), numbers('float32', 512), stride]

// Four floats in one access.
__global__ void shared_float4(const float4* in, float4* out, int stride)
{
    __shared__ float4 tile[512];
    int t = threadIdx.x;

    for (int i = t; i < 512; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[t + blockDim.x * blockIdx.x] = tile[t * stride % 512];
}
