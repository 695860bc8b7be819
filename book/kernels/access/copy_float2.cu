// finds: nothing
// launch: grid=4, block=64, args=[numbers('float32', 512), numbers('float32', 512)]

// Two floats in one access.
__global__ void copy_float2(const float2* in, float2* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
