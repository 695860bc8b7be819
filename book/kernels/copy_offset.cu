// finds: nothing
// launch: for offset in (0, 1, 8): grid=1, block=32, args=[ramp(64), empty(32), offset]

// Copies 32 elements, beginning at element `offset`.
__global__ void copy_offset(const float* in, float* out, int offset)
{
    int i = threadIdx.x;

    float value = in[i + offset];  // load: side by side, wherever they begin
    out[i] = value;                // store: side by side
}
