// kernel: gemm   grid: 3,2   block: 16,16
// args: a float32[20x37] random, b float32[37x40] random, c float32[20x40] poison, m int32 20, n int32 40, k int32 37
// expect: nothing
// check: c == a @ b
__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int t = 0; t < k; t += 16) {
        as[ty][tx] = row < m && t + tx < k ? a[row * k + t + tx] : 0.0f;
        bs[ty][tx] = t + ty < k && col < n ? b[(t + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
