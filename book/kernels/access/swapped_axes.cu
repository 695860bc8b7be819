// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[ramp(32, 32), empty(32, 32), 32]

// threadIdx.x counts the rows, so that neighboring threads are a row apart.
__global__ void swapped_axes(const float* in, float* out, int n)
{
    int row = threadIdx.x + blockDim.x * blockIdx.x;
    int col = threadIdx.y + blockDim.y * blockIdx.y;

    out[row * n + col] = in[row * n + col];
}
