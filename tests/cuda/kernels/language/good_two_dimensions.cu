// kernel: indices   grid: 2,3   block: 8,4
// args: out int32[12x16] poison, width int32 16
// expect: nothing
// check: out == np.arange(12 * 16)
__global__ void indices(int* out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = y * gridDim.x * blockDim.x + x;
}
