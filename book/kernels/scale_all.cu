// finds: nothing
// launch: grid=1, block=32, args=[ramp(32), ramp(1) + 2, empty(32)]

// Multiplies each element by the same factor.
__global__ void scale_all(const float* in, const float* factor, float* out)
{
    int i = threadIdx.x;

    float by = factor[0];  // load: all lanes want the same element
    out[i] = by * in[i];   // store: side by side
}
