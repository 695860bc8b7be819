// rejected by: reaches_every_barrier
// perhaps also: matches_numpy, reads_only_what_was_written
// "Only threads with an element of C have work to do, so everything stands in one if."
// C = A B for n x n matrices, stored row by row. A block of m x m threads computes one tile of C.
__global__ void gemm_tiled_any_size(const float* A, const float* B, float* C, int n)
{
    extern __shared__ float tiles[];
    int m = blockDim.x;
    float* tile_a = tiles;              // m x m
    float* tile_b = tiles + m * m;      // m x m
    float sum = 0.0f;

    // Which row and column of C are this thread's?
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * m + x;
    int row = blockIdx.y * m + y;

    // For each phase: load one element of each tile, then add up m products.
    if (row < n && col < n)
    for (int start = 0; start < n; start += m) {
        int a_col = start + x, b_row = start + y;
        tile_a[y * m + x] = row < n && a_col < n ? A[row * n + a_col] : 0.0f;
        tile_b[y * m + x] = b_row < n && col < n ? B[b_row * n + col] : 0.0f;
        __syncthreads();    // both tiles must be whole before anyone multiplies
        for (int k = 0; k < m; ++k)
            sum += tile_a[y * m + k] * tile_b[k * m + x];
        __syncthreads();    // everyone must be done with the tiles before the next phase overwrites them
    }

    // Store the sum, where C has such an element.
    if (row < n && col < n)
        C[row * n + col] = sum;
}
