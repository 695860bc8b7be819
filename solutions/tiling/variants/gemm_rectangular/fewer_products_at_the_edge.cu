// Stores no 0 in a tile: the last phase adds up fewer products, and who has no element of C adds up none.
__global__ void gemm_rectangular(const float* A, const float* B, float* C, int hA, int wA, int wB)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 16 * blockIdx.y + y, col = 16 * blockIdx.x + x;
    bool mine = row < hA && col < wB;
    float sum = 0.0f;
    for (int from = 0; from < wA; from += 16) {
        if (row < hA && from + x < wA)
            a_tile[y][x] = A[row * wA + from + x];
        if (from + y < wA && col < wB)
            b_tile[y][x] = B[(from + y) * wB + col];
        __syncthreads();
        if (mine)
            for (int k = 0; k < min(16, wA - from); ++k)
                sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (mine)
        C[row * wB + col] = sum;
}
