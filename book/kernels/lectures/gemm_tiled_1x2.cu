// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: for M in (16, 8, 32): grid=(-(-60 // (2 * M)), -(-60 // M)), block=(M, M), args=[numbers('float32', 60, 60), numbers('float32', 60, 60), empty(60, 60), 60], shared_mem=12 * M * M

// A lecture's tiled product with 1x2 register blocking. Launched with M x M threads a block and 3 M M floats of shared
// memory: a block computes M rows and 2 M columns of C, a thread two elements of one row, M columns apart.
__global__ void gemm_tiled_1x2(const float* A, const float* B, float* C, int N)
{
    extern __shared__ float shared[];
    const int M = blockDim.x;
    float* tile_A = shared;          // M x M
    float* tile_B = shared + M * M;  // M x 2M: the larger one

    const int ii = threadIdx.y, jj = threadIdx.x;
    const int row = blockIdx.y * M + ii;
    const int col0 = blockIdx.x * (2 * M) + jj, col1 = col0 + M;
    float sum0 = 0.0f, sum1 = 0.0f;

    for (int tk = 0; tk < (N + M - 1) / M; ++tk) {
        const int col_A = tk * M + jj, row_B = tk * M + ii;
        tile_A[ii * M + jj] = row < N && col_A < N ? A[row * N + col_A] : 0.0f;
        tile_B[ii * (2 * M) + jj] = row_B < N && col0 < N ? B[row_B * N + col0] : 0.0f;
        tile_B[ii * (2 * M) + M + jj] = row_B < N && col1 < N ? B[row_B * N + col1] : 0.0f;
        __syncthreads();  // barrier 1: both tiles are whole
        for (int kk = 0; kk < M; ++kk) {
            const float a = tile_A[ii * M + kk];
            sum0 += a * tile_B[kk * (2 * M) + jj];
            sum1 += a * tile_B[kk * (2 * M) + M + jj];
        }
        __syncthreads();  // barrier 2: nobody needs these tiles any more
    }
    if (row < N && col0 < N) C[row * N + col0] = sum0;
    if (row < N && col1 < N) C[row * N + col1] = sum1;
}
