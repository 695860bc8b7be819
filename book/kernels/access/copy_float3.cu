// finds: nothing
// launch: grid=4, block=64, args=[numbers('float32', 768), numbers('float32', 768)]

// Three floats that are no power of two: three accesses.
__global__ void copy_float3(const float3* in, float3* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[i];
}
