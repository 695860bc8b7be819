// finds: MisalignedAccess
// launch: grid=1, block=8, args=[ramp(40), empty(32)]

// Copies four elements a thread, beginning with element 1.
__global__ void copy_fours(const float* in, float* out)
{
    const float4* from = (const float4*)(in + 1);
    float4* to = (float4*)out;

    to[threadIdx.x] = from[threadIdx.x];
}
