// kernel: gemm   grid: 2,2   block: 16,16
// args: a float32[32x64] random, b float32[64x32] random, c float32[32x32] poison
// expect: nothing
// check: c == a @ b
__global__ void gemm(const float* a, const float* b, float* c)
{
    const int K = 64, N = 32;
    __shared__ float as[2][16][16], bs[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx, now = 0;
    as[0][ty][tx] = a[row * K + tx];
    bs[0][ty][tx] = b[ty * N + col];
    __syncthreads();
    float sum = 0.0f;
    for (int t = 16; t <= K; t += 16) {
        if (t < K) {  // the next tiles go where nobody reads in this round
            as[1 - now][ty][tx] = a[row * K + t + tx];
            bs[1 - now][ty][tx] = b[(t + ty) * N + col];
        }
        for (int k = 0; k < 16; k++) sum += as[now][ty][k] * bs[now][k][tx];
        now = 1 - now;
        __syncthreads();  // the only one in a round
    }
    c[row * N + col] = sum;
}
