// finds: nothing
// launch: grid=(2, 2), block=(32, 8), args=[ramp(64, 64), empty(64, 64), 64]

// Loads along a row, stores down a column.
__global__ void transpose_strided_store(const float* in, float* out, int n)
{
    int x = threadIdx.x + 32 * blockIdx.x;

    for (int y = threadIdx.y + 32 * blockIdx.y, end = y + 32; y < end; y += blockDim.y)
        out[x * n + y] = in[y * n + x];
}
