// finds: nothing
// launch: grid=1, block=32, args=[ramp(128), empty(128)]

// Copies 128 elements, four for each thread.
__global__ void copy_wide(const float4* in, float4* out)
{
    int i = threadIdx.x;

    float4 four = in[i];  // load: 16 bytes a lane, in one instruction
    out[i] = four;        // store: the same
}
