// finds: nothing
// launch: grid=(10, 4), block=(5, 7), args=[ramp(28, 50), empty(28, 50), 50]

// A block of 35 threads: a warp of 32 and one of three.
__global__ void rows_of_5(const float* in, float* out, int width)
{
    int x = threadIdx.x + blockDim.x * blockIdx.x;
    int y = threadIdx.y + blockDim.y * blockIdx.y;

    out[y * width + x] = in[y * width + x];
}
