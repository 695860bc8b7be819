// kernel: indices   grid: 2,2,2   block: 2,3,4
// args: out int32[8x6x4] poison
// expect: nothing
// check: out == np.arange(192)
__global__ void indices(int* out)
{
    dim3 size(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int i = (z * size.y + y) * size.x + x;
    out[i] = i;
}
