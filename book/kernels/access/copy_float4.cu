// finds: nothing
// launch: grid=4, block=64, args=[numbers('float32', 1024), numbers('float32', 1024)]

// Four floats in one access, the widest that there is.
__global__ void copy_float4(const float4* in, float4* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
