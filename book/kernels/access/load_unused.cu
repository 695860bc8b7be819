// finds: nothing
// launch: grid=2, block=64, args=[ramp(128), ramp(128), empty(128), 0]

// The second load is used only where `both` says so.
__global__ void load_unused(const float* a, const float* b, float* out, int both)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    float x = a[i], y = b[i];

    out[i] = both ? x + y : x;
}
