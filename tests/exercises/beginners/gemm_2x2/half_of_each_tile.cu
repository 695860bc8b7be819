%%cuda gemm_2x2
// C = A B: A is M x K, B is K x N and C is M x N, stored row by row. A block of 16 x 16 threads computes 32 x 32 elements of C.
__global__ void gemm_2x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a_tile[32][16];
    __shared__ float b_tile[16][32];
    int x = threadIdx.x, y = threadIdx.y;
    int t = 16 * y + x;                                     // this thread's number, 0 to 255
    int top = 32 * blockIdx.y, left = 32 * blockIdx.x;      // where the block's part of C begins
    float sum[2][2] = {};       // sum[i][j] is for row top + y + 16 * i and column left + x + 16 * j

    for (int start = 0; start < K; start += 16) {
        // Load two elements of each tile; what lies outside a matrix is 0.
        for (int i = 0; i < 1; i++) {
            int r = top + y + 16 * i;
            a_tile[y + 16 * i][x] = r < M && start + x < K ? A[r * K + start + x] : 0;
            int c = left + x + 16 * i;
            b_tile[y][x + 16 * i] = start + y < K && c < N ? B[(start + y) * N + c] : 0;
        }
        __syncthreads();

        // For each of the 16 steps: four loads from the tiles, then four products.
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    sum[i][j] += a_tile[y + 16 * i][k] * b_tile[k][x + 16 * j];
        __syncthreads();
    }

    // Store the four sums, where C has such elements.
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (top + y + 16 * i < M && left + x + 16 * j < N)
                C[(top + y + 16 * i) * N + left + x + 16 * j] = sum[i][j];
}
