// finds: nothing
// launch: for stride in (2, 3): grid=4, block=64, args=[ramp(4 * 3 * 256), empty(4 * 256), stride]

// Groups of four floats that are `stride` groups apart.
__global__ void float4_strided(const float4* in, float4* out, int stride)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    out[i] = in[stride * i];
}
