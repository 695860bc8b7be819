// finds: nothing
// launch: grid=(2, 2), block=(8, 8), args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9], shared_mem=4*8*8*4

// C = A B. A thread computes 2 x 2 elements of C: two rows, two columns, m apart.
// Four multiplications cost four loads from shared memory.
__global__ void gemm_2x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_A = tiles;              // 2m x m
    float* tile_B = tiles + 2 * m * m;  // m x 2m
    int x = threadIdx.x, col0 = blockIdx.x * 2 * m + x, col1 = col0 + m;
    int y = threadIdx.y, row0 = blockIdx.y * 2 * m + y, row1 = row0 + m;
    float sum00 = 0.0f, sum01 = 0.0f, sum10 = 0.0f, sum11 = 0.0f;

    for (int first = 0; first < K; first += m) {
        int col_A = first + x, row_B = first + y;
        tile_A[y * m + x] = row0 < M && col_A < K ? A[row0 * K + col_A] : 0.0f;
        tile_A[(y + m) * m + x] = row1 < M && col_A < K ? A[row1 * K + col_A] : 0.0f;
        tile_B[y * 2 * m + x] = row_B < K && col0 < N ? B[row_B * N + col0] : 0.0f;
        tile_B[y * 2 * m + m + x] = row_B < K && col1 < N ? B[row_B * N + col1] : 0.0f;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < m; ++k) {
            float a0 = tile_A[y * m + k], a1 = tile_A[(y + m) * m + k];
            float b0 = tile_B[k * 2 * m + x], b1 = tile_B[k * 2 * m + m + x];
            sum00 += a0 * b0;
            sum01 += a0 * b1;
            sum10 += a1 * b0;
            sum11 += a1 * b1;
        }
        __syncthreads();  // nobody needs these tiles any more
    }
    if (row0 < M && col0 < N) C[row0 * N + col0] = sum00;
    if (row0 < M && col1 < N) C[row0 * N + col1] = sum01;
    if (row1 < M && col0 < N) C[row1 * N + col0] = sum10;
    if (row1 < M && col1 < N) C[row1 * N + col1] = sum11;
}
