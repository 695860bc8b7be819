%%cuda gemm_rectangular
// C = A B, where A is hA x wA, B is wA x wB and C is hA x wB, stored row by row. A block of 16 x 16 threads computes one tile of C.
__global__ void gemm_rectangular(const float* A, const float* B, float* C, int hA, int wA, int wB)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = 16 * blockIdx.y + y;
    int col = 16 * blockIdx.x + x;
    float sum = 0.0f;

    // For each phase: load one element of each tile, then add up 16 products.
    if (row >= hA || col >= wB) return;
    for (int first = 0; first < wA; first += 16) {
        a_tile[y][x] = row < hA && first + x < wA ? A[row * wA + first + x] : 0;
        b_tile[y][x] = first + y < wA && col < wB ? B[(first + y) * wB + col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }

    // Store the sum, where C has such an element.
    C[row * wB + col] = sum;
}
