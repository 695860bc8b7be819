// finds: nothing
// launch: grid=(4, 2), block=(16, 16), args=[ramp(32, 64), empty(32, 64), 64]

// A warp is two rows of sixteen threads.
__global__ void rows_of_16(const float* in, float* out, int width)
{
    int x = threadIdx.x + blockDim.x * blockIdx.x;
    int y = threadIdx.y + blockDim.y * blockIdx.y;

    out[y * width + x] = in[y * width + x];
}
