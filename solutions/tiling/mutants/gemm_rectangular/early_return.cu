// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Threads outside C leave first, then no guard is needed at the end."
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

    if (row >= hA || col >= wB)
        return;

    // For each phase: load one element of each tile, then add up 16 products.
    for (int from = 0; from < wA; from += 16) {
        int a_col = from + x, b_row = from + y;
        a_tile[y][x] = row < hA && a_col < wA ? A[row * wA + a_col] : 0.0f;
        b_tile[y][x] = b_row < wA && col < wB ? B[b_row * wB + col] : 0.0f;
        __syncthreads();    // nobody may multiply until both tiles are complete
        for (int k = 0; k < 16; ++k)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();    // nobody may load the next tiles while others still multiply
    }

    // Store the sum, where C has such an element.
    if (row < hA && col < wB)
        C[row * wB + col] = sum;
}
