// kernel: twice   grid: 2,2   block: 8,8
// args: in float32[12x16] random, out float32[12x16] poison, rows int32 12, cols int32 16
// expect: OutOfBounds lines=1 array=in index=192 space=global action=read
__global__ void twice(const float* in, float* out, int rows, int cols)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < cols)  // and y < rows
        out[y * cols + x] = 2.0f * in[y * cols + x]; // (1)
}
