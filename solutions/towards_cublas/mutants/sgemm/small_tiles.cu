// rejected by: loads_at_most
// perhaps also: shared_loads_at_most, is_faster_than
// "A tile is a tile." With 16 x 16, each number is loaded four times as often as with 64 x 64.
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. Any M, N and K.
__global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a_tile[16][16], b_tile[16][16];
    int t = threadIdx.x, x = t % 16, y = t / 16;        // 8 rows of threads: each computes two elements of a tile
    for (int part = 0; part < 32; ++part) {             // the 32 tiles of 16 x 16 in 128 x 64 elements
        int top = 128 * blockIdx.y + part / 4 * 16, left = 64 * blockIdx.x + part % 4 * 16;
        float upper = 0.0f, lower = 0.0f;
        for (int start = 0; start < K; start += 16) {
            for (int i = y; i < 16; i += 8) {
                a_tile[i][x] = top + i < M && start + x < K ? A[(top + i) * K + start + x] : 0.0f;
                b_tile[i][x] = start + i < K && left + x < N ? B[(start + i) * N + left + x] : 0.0f;
            }
            __syncthreads();
            for (int k = 0; k < 16; ++k) {
                upper += a_tile[y][k] * b_tile[k][x];
                lower += a_tile[y + 8][k] * b_tile[k][x];
            }
            __syncthreads();
        }
        if (top + y < M && left + x < N)
            C[(top + y) * N + left + x] = upper;
        if (top + y + 8 < M && left + x < N)
            C[(top + y + 8) * N + left + x] = lower;
    }
}
