// finds: nothing
// launch: grid=2, block=128, args=[numbers('float32', 256, 16), empty(256), 0.5]

// Without shared memory: each thread loads its own row, four coefficients at a time.
__global__ void polynomials_direct(const float4* in, float* out, float x)
{
    int t = threadIdx.x + 128 * blockIdx.x;
    float value = 0.0f;

    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        float4 c = in[4 * t + k];  // load: lanes 64 bytes apart
        value = (((value * x + c.x) * x + c.y) * x + c.z) * x + c.w;
    }
    out[t] = value;
}
