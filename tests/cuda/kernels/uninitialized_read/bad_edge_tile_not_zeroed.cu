// kernel: gemm   grid: 2,2   block: 16,16
// args: a float32[20x20] random, b float32[20x20] random, c float32[20x20] poison, n int32 20
// expect: UninitializedRead lines=1 array=as space=shared
// expect: UninitializedRead lines=1 array=bs space=shared
__global__ void gemm(const float* a, const float* b, float* c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int t = 0; t < n; t += 16) {
        // Outside the matrix the tile keeps what it had.
        if (row < n && t + tx < n) as[ty][tx] = a[row * n + t + tx];
        if (t + ty < n && col < n) bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx]; // (1)
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}
