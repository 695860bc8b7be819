// finds: nothing
// launch: for stride in (1, 2, 8, 32): grid=1, block=32, args=[ramp(1024), empty(32), stride]

// Copies every `stride`-th element.
__global__ void copy_stride(const float* in, float* out, int stride)
{
    int i = threadIdx.x;

    float value = in[i * stride];  // load: lanes are `stride` elements apart
    out[i] = value;                // store: side by side
}
