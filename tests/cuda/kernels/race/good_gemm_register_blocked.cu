// kernel: gemm   grid: 1,2   block: 16,16
// args: a float32[32x32] random, b float32[32x32] random, c float32[32x32] poison
// expect: nothing
// check: c == a @ b
template <int N, int TILE> __device__ void load(float (*tile)[N], const float* from, int row, int col)
{
    tile[threadIdx.y][threadIdx.x] = from[row * 32 + col];
    if (N > TILE) tile[threadIdx.y][threadIdx.x + TILE] = from[row * 32 + col + TILE];
}
__global__ void gemm(const float* a, const float* b, float* c)
{
    __shared__ float as[16][16];
    __shared__ float bs[16][32];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty;
    float sum[2] = {0.0f, 0.0f};  // each thread computes two columns, 16 apart
    for (int t = 0; t < 32; t += 16) {
        load<16, 16>(as, a, row, t + tx);
        load<32, 16>(bs, b, t + ty, tx);
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float left = as[ty][k];
            for (int j = 0; j < 2; j++) sum[j] += left * bs[k][tx + 16 * j];
        }
        __syncthreads();
    }
    for (int j = 0; j < 2; j++) c[row * 32 + tx + 16 * j] = sum[j];
}
