// finds: nothing
// launch: grid=1, block=32, args=[ramp(16), empty(32)]

// Copies each of 16 elements twice: two lanes side by side want the same.
__global__ void pairs(const float* in, float* out)
{
    int i = threadIdx.x;

    float value = in[i / 2];  // load
    out[i] = value;           // store
}
