// finds: nothing
// launch: grid=(2, 3), block=(8, 8), args=[ramp(20, 9), ramp(9, 18), empty(20, 18), 20, 18, 9], shared_mem=3*8*8*4

// C = A B. A thread computes two elements of one row of C, m columns apart: what it reads from
// tile_A serves both. Two multiplications now cost three loads from shared memory, not four.
__global__ void gemm_1x2(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_A = tiles;          // m x m
    float* tile_B = tiles + m * m;  // m x 2m
    int x = threadIdx.x, col0 = blockIdx.x * 2 * m + x, col1 = col0 + m;
    int y = threadIdx.y, row = blockIdx.y * m + y;
    float sum0 = 0.0f, sum1 = 0.0f;

    for (int first = 0; first < K; first += m) {
        int row_B = first + y;
        tile_A[y * m + x] = row < M && first + x < K ? A[row * K + first + x] : 0.0f;
        // m columns apart, so that the lanes of a warp still load neighbors.
        tile_B[y * 2 * m + x] = row_B < K && col0 < N ? B[row_B * N + col0] : 0.0f;
        tile_B[y * 2 * m + m + x] = row_B < K && col1 < N ? B[row_B * N + col1] : 0.0f;
        __syncthreads();  // both tiles are whole
        for (int k = 0; k < m; ++k) {
            float a = tile_A[y * m + k];
            sum0 += a * tile_B[k * 2 * m + x];
            sum1 += a * tile_B[k * 2 * m + m + x];
        }
        __syncthreads();  // nobody needs these tiles any more
    }
    if (row < M && col0 < N) C[row * N + col0] = sum0;
    if (row < M && col1 < N) C[row * N + col1] = sum1;
}
