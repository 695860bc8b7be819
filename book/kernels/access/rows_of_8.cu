// finds: nothing
// launch: grid=(8, 2), block=(8, 16), args=[ramp(32, 64), empty(32, 64), 64]

// A warp is four rows of eight threads.
__global__ void rows_of_8(const float* in, float* out, int width)
{
    int x = threadIdx.x + blockDim.x * blockIdx.x;
    int y = threadIdx.y + blockDim.y * blockIdx.y;

    out[y * width + x] = in[y * width + x];
}
