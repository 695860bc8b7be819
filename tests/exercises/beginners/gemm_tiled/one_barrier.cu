%%cuda gemm_tiled
// C = A B for n x n matrices, stored row by row; n is a multiple of 16. A block of 16 x 16 threads computes one tile of C.

__global__ void gemm_tiled(const float* A, const float* B, float* C, int n)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = 16 * blockIdx.y + y;
    int col = 16 * blockIdx.x + x;
    float sum = 0.0f;

    for (int phase = 0; phase < n / 16; ++phase) {
        // Load one element of each tile.
        a_tile[y][x] = A[row * n + 16 * phase + x];
        b_tile[y][x] = B[(16 * phase + y) * n + col];
        __syncthreads();

        // Add up 16 products from the tiles.
        for (int k = 0; k < 16; k++)
            sum += a_tile[y][k] * b_tile[k][x];
    }

    C[row * n + col] = sum;
}
