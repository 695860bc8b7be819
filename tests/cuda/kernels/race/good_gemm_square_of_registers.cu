// kernel: gemm<4,4>   grid: 2,2   block: 8,8
// args: a float32[64x32] random, b float32[32x64] random, c float32[64x64] poison
// expect: nothing
// check: c == a @ b
template <int TM, int TN> __global__ void gemm(const float* a, const float* b, float* c)
{
    const int K = 32, N = 64;
    __shared__ float as[8 * TM][8], bs[8][8 * TN];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 * TM, col = blockIdx.x * 8 * TN;
    float sum[TM][TN] = {}, left[TM], right[TN];
    for (int t = 0; t < K; t += 8) {
        for (int i = 0; i < TM; i++) as[ty + 8 * i][tx] = a[(row + ty + 8 * i) * K + t + tx];
        for (int j = 0; j < TN; j++) bs[ty][tx + 8 * j] = b[(t + ty) * N + col + tx + 8 * j];
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < TM; i++) left[i] = as[ty * TM + i][k];
            for (int j = 0; j < TN; j++) right[j] = bs[k][tx * TN + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++) sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) c[(row + ty * TM + i) * N + col + tx * TN + j] = sum[i][j];
}
